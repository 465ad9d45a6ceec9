import { useValueLists } from '../../../api/definitions.ts'
import { DateField } from '../../../components/form/DateField.tsx'
import { ChoiceField, LongTextField, NumberField, TextField } from '../../../components/form/fields.tsx'
import { MultiChoiceField } from '../../../components/form/MultiChoiceField.tsx'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

/** Values by the ids of their fields, as the interface takes them. */
export type FieldValues = ListedApiContact['fields']

interface Props {
  form: FormBinding<FieldValues>
  field: ContactListField
  isReadOnly: boolean
  /** It has the focus when a dialog opens. */
  isFirst?: boolean
}

/** The field of a form for a value of a contact, by the type of its field. */
export function ContactValueField({ form, field, isReadOnly, isFirst = false }: Props) {
  const t = useTranslator(contactPageTexts)
  const valueLists = useValueLists()
  const helpText = field.isUnicity ? t('keyHelp') : field.isMandatory ? t('mandatoryHelp') : undefined
  const fieldProps = { form, at: `/${field.id}`, label: field.name, isReadOnly, ...(helpText && { help: helpText }) }
  const listLabels = valueLists.data?.find(({ id }) => id === field.valueListId)?.values ?? []
  const choices = listLabels.map(({ value }) => ({ value, label: value }))
  if (field.type === 'textArea') return <LongTextField {...fieldProps} />
  if (field.type === 'numeric') return <NumberField {...fieldProps} />
  if (field.type === 'date') return <DateField {...fieldProps} />
  if (field.type === 'singleSelectList') return <ChoiceField {...fieldProps} choices={choices} isClearable />
  if (field.type === 'multipleSelectList') return <MultiChoiceField {...fieldProps} choices={choices} />
  return <TextField {...fieldProps} type={field.type === 'email' ? 'email' : 'text'} isAutofocused={isFirst} />
}
