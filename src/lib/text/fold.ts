/**
 * Unicode case folding (full): two strings that differ in case only fold to the same one.
 * Upper-casing first expands what folds to several letters (ß, ŉ); a final sigma is brought to the common one.
 */
export function foldUnicodeCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/**
 * A text in the form in which addresses are compared: NFC and lower case (RFC 6532, RFC 8265 UsernameCaseMapped). Upper case is not used,
 * as it would equate ß with ss and ı with i. A final sigma becomes an ordinary one. Same as `address_key` in the database.
 */
export function normalizeAddressCase(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}
