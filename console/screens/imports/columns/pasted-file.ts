const ADDRESS_SEPARATOR_PATTERN = /[\s,;<>"()]/

/** True for a list of addresses on one line or several, with or without names: not rows with a heading or with columns. */
function isAddressList(text: string): boolean {
  const parts = text.split(/[\n,;]/).filter((part) => part.trim() !== '')
  return !text.includes('\t') && parts.every((part) => part.includes('@'))
}

/** A text that was pasted, as a file: of a list of addresses one on each line, of a spreadsheet its rows. */
export function buildPastedFile(text: string, name: string): File {
  if (!isAddressList(text)) return new File([text], `${name}.${text.includes('\t') ? 'tsv' : 'csv'}`)
  const addresses = text.split(ADDRESS_SEPARATOR_PATTERN).filter((part) => part.includes('@'))
  return new File([addresses.join('\n')], `${name}.csv`)
}
