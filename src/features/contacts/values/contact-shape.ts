import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { type ContactDefinitions, findUnicityFields } from '../fields/definitions.ts'
import type { ContactFieldDefinition } from '../fields/field-schemas.ts'
import { toAlpha2CountryCode } from './countries.ts'
import { buildLabelIndex, type LabelIndex } from './list-value.ts'
import { compileValueReader, type ValueReader, type ValueReadingOptions } from './values.ts'

/** The definitions of an account, prepared for reading, finding and showing its contacts. */
export interface ContactShape extends ContactDefinitions {
  /** The fields whose joined values are the unicity, ascending id. */
  unicity: ContactFieldDefinition[]
  /** The field of a key of a flat map: its id in digits, or its name in any case. */
  find(key: string): ContactFieldDefinition | undefined
  /** Labels of a list field. */
  labels(field: ContactFieldDefinition): LabelIndex | undefined
  /** Reads values that are to be written: obeys isMandatory and the constraint. */
  reader(field: ContactFieldDefinition): ValueReader
  /** Reads a value that is looked for: brings it to the form stored values have. */
  normaliser(field: ContactFieldDefinition): ValueReader
}

/** Memoizes `make` by field. */
function memoizeByField<Made>(make: (field: ContactFieldDefinition) => Made): (field: ContactFieldDefinition) => Made {
  const resultsByField = new Map<number, Made>()
  return (field) => {
    let value = resultsByField.get(field.id)
    if (value === undefined) resultsByField.set(field.id, (value = make(field)))
    return value
  }
}

/** Prepares definitions; readers and labels are made when they are first needed. */
export function buildContactShape(definitions: ContactDefinitions): ContactShape {
  const { fields, lists, settings } = definitions
  const fieldsByKey = new Map<string, ContactFieldDefinition>()
  for (const field of fields) fieldsByKey.set(foldUnicodeCase(field.name), field).set(String(field.id), field)
  const country = toAlpha2CountryCode(settings.defaultCountry)
  const findLabelIndex = memoizeByField((field) => {
    const valueList = lists.get(field.valueListId ?? 0)
    return valueList && buildLabelIndex(valueList)
  })
  const buildReadingOptions = (field: ContactFieldDefinition): ValueReadingOptions => ({
    countries: country ? [country] : [],
    dateOrder: settings.dateOrder,
    labels: findLabelIndex(field),
  })
  return {
    ...definitions,
    unicity: findUnicityFields(definitions),
    find: (key) => fieldsByKey.get(key) ?? fieldsByKey.get(foldUnicodeCase(key.trim().normalize('NFC'))),
    labels: findLabelIndex,
    reader: memoizeByField((field) => compileValueReader(field, buildReadingOptions(field))),
    normaliser: memoizeByField((field) =>
      compileValueReader({ ...field, isMandatory: false, constraint: undefined }, buildReadingOptions(field)),
    ),
  }
}
