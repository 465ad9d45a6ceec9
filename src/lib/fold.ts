/**
 * Unicode case folding (full): two strings that differ in case only fold to the same one.
 * Upper-casing first expands what folds to several letters (ß, ŉ); a final sigma is brought to the common one.
 */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/**
 * A text in the form in which addresses are compared: NFC and lower case (RFC 6532, RFC 8265 UsernameCaseMapped). Never by way of
 * upper case, which would make one of ß and ss, of ı and i. A final sigma is brought to the common one. As `address_key` of the database.
 */
export function mapCase(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}
