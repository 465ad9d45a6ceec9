interface NamedField {
  id: number
  name: string
}

/** Names of fields that hold a part of the name of a person, by the place of the part. */
const NAME_PARTS = [
  ['firstname', 'fname', 'givenname', 'forename', 'prenom'],
  ['lastname', 'lname', 'surname', 'familyname', 'nom', 'nomdefamille'],
] as const
const FULL_NAMES: readonly string[] = ['name', 'fullname', 'contactname', 'nomcomplet']

/** The letters and digits of a name without case and accents. */
const foldFieldName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The fields that make up the name of a person, in order: first and last name, or else one that holds both; empty if there are none. */
export function findPersonNameFields<T extends NamedField>(fields: readonly T[]): T[] {
  const findField = (names: readonly string[]): T | undefined =>
    fields.find(({ name }) => names.includes(foldFieldName(name)))
  const parts = NAME_PARTS.map((names) => findField(names)).filter((field) => field !== undefined)
  const fullName = findField(FULL_NAMES)
  return parts.length > 0 || fullName === undefined ? parts : [fullName]
}

/** The name of a person by the values of the name fields; undefined if none has a value. */
export function formatPersonName(
  values: Readonly<Record<string, unknown>>,
  nameFields: readonly NamedField[],
): string | undefined {
  const parts = nameFields.map(({ id }) => values[id]).filter((value) => typeof value === 'string' && value !== '')
  return parts.length === 0 ? undefined : parts.join(' ')
}
