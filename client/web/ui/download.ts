// Downloads.

/** Saves a file. */
export function saveAs(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not at once: the download may not have begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
