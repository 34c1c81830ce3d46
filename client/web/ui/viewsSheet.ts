// The stylesheet of every view but the lobby, requested with the first of them.

let coming: Promise<void> | null = null;

/** Resolves when the stylesheet applies. One that failed to load is requested again the next time. */
export function viewsSheet() {
  coming ??= asked().catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

function asked() {
  const link = document.createElement('link'); // browsers do not retry a failed element
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
