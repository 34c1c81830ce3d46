// Parts of addresses. Pure.

/** A part of an address as it was meant; what is not encoded well stays as it is. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
