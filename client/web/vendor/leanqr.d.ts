// What the page uses of leanqr.js.

export interface Code {
  readonly size: number;
  get(x: number, y: number): boolean;
}

export const correction: { readonly M: number };

export function generate(text: string, options: { minCorrectionLevel: number }): Code;
