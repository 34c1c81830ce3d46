// The sheet that every view but the lobby needs: it is on its way from when the first of them is asked for.

let coming: Promise<void> | null = null;

/** Settles when the sheet holds. One that could not be loaded is asked for again the next time. */
export function viewsSheet() {
  coming ??= asked().catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

function asked() {
  const link = document.createElement('link'); // one that failed once is not asked for again
  link.rel = 'stylesheet';
  link.href = document.querySelector('meta[name="views"]')?.getAttribute('content') ?? '';
  return new Promise<void>((here, failed) => {
    link.onload = () => here();
    link.onerror = () => {
      link.remove();
      failed(new Error(link.href));
    };
    document.head.append(link);
  });
}
