import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { ValueReader } from '../../contacts/values/values.ts'

/** A column of a file, and the cells of its first lines. */
export interface SampledColumn {
  heading: string | null
  cells: readonly string[]
}

/** Headings that mean the same thing in the files of many programs; compared by `normalizeHeading`. */
const headingMeanings: Record<string, readonly string[]> = {
  email: ['email', 'emailaddress', 'mail', 'emailaddr', 'subscriberemail', 'adresseemail', 'adressemail', 'courriel'],
  mobile: ['mobile', 'mobilephone', 'mobilephonenumber', 'mobilenumber', 'cell', 'cellphone', 'sms', 'portable'],
  phone: [
    'phone',
    'phonenumber',
    'telephone',
    'telephonenumber',
    'tel',
    'phonenumberid',
    'landlinenumber',
    'landline',
    'whatsapp',
  ],
  firstName: ['firstname', 'fname', 'givenname', 'prenom', 'forename'],
  lastName: ['lastname', 'lname', 'surname', 'familyname', 'nom', 'nomdefamille'],
  name: ['name', 'fullname', 'contactname', 'nomcomplet'],
  title: ['title', 'salutation', 'civilite', 'gender', 'prefix'],
  birthDate: ['birthdate', 'birthday', 'dateofbirth', 'dob', 'born', 'datedenaissance', 'naissance'],
  company: ['company', 'companyname', 'organization', 'organisation', 'societe', 'entreprise'],
  job: ['job', 'jobtitle', 'position', 'fonction', 'poste'],
  street: ['address', 'address1', 'addressline1', 'street', 'streetaddress', 'adresse', 'adresse1', 'rue'],
  street2: ['address2', 'addressline2', 'adresse2'],
  postalCode: ['postalcode', 'postcode', 'zip', 'zipcode', 'codepostal', 'cp'],
  city: ['city', 'town', 'ville'],
  region: ['region', 'state', 'stateregion', 'stateprovince', 'stateprovinceregion', 'province', 'county'],
  country: ['country', 'countryregion', 'countrycode', 'cc', 'pays'],
  language: ['language', 'lang', 'preferredlanguage', 'langue', 'locale'],
  website: ['website', 'websiteurl', 'url', 'site', 'siteweb'],
}

const meaningsByHeading = new Map(
  Object.entries(headingMeanings).flatMap(([meaning, words]) => words.map((word) => [word, meaning])),
)

/** The letters and digits of a heading, without case, marks and accents: `E-Mail_Address` and `email address` are one. */
export function normalizeHeading(heading: string): string {
  return foldUnicodeCase(heading.normalize('NFKD')).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** True if a reader accepts half of the cells that are not empty. */
function isReadable(readValue: ValueReader, cells: readonly string[]): boolean {
  const filledCells = cells.filter((cell) => cell.trim() !== '')
  return filledCells.filter((cell) => 'ok' in readValue(cell)).length * 2 >= filledCells.length
}

/** Says of a column whether it seems to fill a field; the surest ways of telling come first. */
type ColumnGuess = (column: SampledColumn, field: ContactFieldDefinition) => boolean

const guessByName: ColumnGuess = ({ heading }, field) =>
  heading !== null && normalizeHeading(heading) === normalizeHeading(field.name)

const guessByMeaning: ColumnGuess = ({ heading }, field) => {
  const meaning = heading === null ? undefined : meaningsByHeading.get(normalizeHeading(heading))
  return meaning !== undefined && meaning === meaningsByHeading.get(normalizeHeading(field.name))
}

const guessByType: ColumnGuess = ({ heading }, { type }) => {
  const meaning = heading === null ? undefined : meaningsByHeading.get(normalizeHeading(heading))
  return type === 'email' ? meaning === 'email' : type === 'phone' && (meaning === 'mobile' || meaning === 'phone')
}

const guessByCells: ColumnGuess = ({ heading, cells }, { type }) =>
  heading === null && type === 'email' && cells.filter((cell) => cell.includes('@')).length * 2 > cells.length

/**
 * The field that each column seems to fill, or null: by the heading as an import reads it, by the field's name or what it
 * means, by type, and without headings by the cells. Each field once; what its cells do not fit is left out, but unicity.
 */
export function guessColumnFields(
  columns: readonly SampledColumn[],
  shape: ContactShape,
  readerOf: (field: ContactFieldDefinition) => ValueReader,
): (number | null)[] {
  const fieldsByColumn = new Map<number, number>()
  const sortedFields = [...shape.fields].sort((a, b) => Number(b.isUnicity) - Number(a.isUnicity) || a.id - b.id)
  const guessByImportName: ColumnGuess = ({ heading }, field) =>
    heading !== null && shape.find(heading.trim())?.id === field.id
  for (const guess of [guessByImportName, guessByName, guessByMeaning, guessByType, guessByCells]) {
    for (const field of sortedFields) {
      if ([...fieldsByColumn.values()].includes(field.id)) continue
      const readValue = readerOf(field)
      const fittingColumns = [...columns.entries()].filter(
        ([place, column]) =>
          !fieldsByColumn.has(place) &&
          guess(column, field) &&
          (field.isUnicity || isReadable(readValue, column.cells)),
      )
      const [index] =
        fittingColumns.find(([, { cells }]) => cells.some((cell) => cell.trim() !== '')) ?? fittingColumns[0] ?? []
      if (index !== undefined) fieldsByColumn.set(index, field.id)
    }
  }
  return columns.map((_, index) => fieldsByColumn.get(index) ?? null)
}
