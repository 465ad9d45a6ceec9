import { fold } from '../../../lib/text/fold.ts'
import { type Definitions, unicityFields } from '../fields/definitions.ts'
import type { Field } from '../fields/field-schemas.ts'
import { countryOf } from './countries.ts'
import { indexLabels, type LabelIndex } from './list-value.ts'
import { compileReader, type Reader, type ReadingOptions } from './values.ts'

/** The definitions of an account, prepared for reading, finding and showing its contacts. */
export interface ContactShape extends Definitions {
  /** The fields whose joined values are the unicity, ascending id. */
  unicity: Field[]
  /** The field of a key of a flat map: its id in digits, or its name in any case. */
  find(key: string): Field | undefined
  /** Labels of a list field. */
  labels(field: Field): LabelIndex | undefined
  /** Reads values that are to be written: obeys isMandatory and the constraint. */
  reader(field: Field): Reader
  /** Reads a value that is looked for: brings it to the form stored values have. */
  normaliser(field: Field): Reader
}

/** Memoizes `make` by field. */
function perField<Made>(make: (field: Field) => Made): (field: Field) => Made {
  const made = new Map<number, Made>()
  return (field) => {
    let value = made.get(field.id)
    if (value === undefined) made.set(field.id, (value = make(field)))
    return value
  }
}

/** Prepares definitions; readers and labels are made when they are first needed. */
export function shapeOf(definitions: Definitions): ContactShape {
  const { fields, lists, settings } = definitions
  const byKey = new Map<string, Field>()
  for (const field of fields) byKey.set(fold(field.name), field).set(String(field.id), field)
  const country = countryOf(settings.defaultCountry)
  const labels = perField((field) => {
    const list = lists.get(field.valueListId ?? 0)
    return list && indexLabels(list)
  })
  const options = (field: Field): ReadingOptions => ({
    countries: country ? [country] : [],
    dateOrder: settings.dateOrder,
    labels: labels(field),
  })
  return {
    ...definitions,
    unicity: unicityFields(definitions),
    find: (key) => byKey.get(key) ?? byKey.get(fold(key.trim().normalize('NFC'))),
    labels,
    reader: perField((field) => compileReader(field, options(field))),
    normaliser: perField((field) =>
      compileReader({ ...field, isMandatory: false, constraint: undefined }, options(field)),
    ),
  }
}
