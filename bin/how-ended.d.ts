/** Why a program was ended by a signal, or by an exit code that means one; undefined if that is not known. */
export function causeOfEnd(
  status: number | null,
  signal: string | null,
): { readonly name: string; readonly cause: string; readonly remedy: string } | undefined;
