/**
 * Unicode case folding (full): two strings that differ in case only fold to the same one.
 * Upper-casing first expands what folds to several letters (ß, ŉ); a final sigma is brought to the common one.
 */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
