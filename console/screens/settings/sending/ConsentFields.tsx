import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SettingsFieldsProps } from '../SettingsForm.tsx'
import type { SendingSettingsForm } from './document.ts'
import styles from './Sending.module.css'
import { sendingSettingsTexts } from './texts.ts'

/** Contact fields that record consent, and the values that mean consent. */
export function ConsentFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = fieldProps
  const fieldsQuery = useQuery({
    queryKey: ['fields'],
    queryFn: ({ signal }) => apiClient.listFields({ signal }),
  })
  const fieldChoices = (fieldsQuery.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const choiceProps = { ...fieldProps, choices: fieldChoices, isNumber: true, isClearable: true }
  return (
    <FieldGroup title={t('consent')}>
      <p className={styles['why']}>{t('consentWhy')}</p>
      <ChoiceField {...choiceProps} at="/optInField" label={t('optIn')} />
      <ChoiceField {...choiceProps} at="/doubleOptInField" label={t('doubleOptIn')} />
      <TagsInput
        label={t('yes')}
        description={t('yesWhy')}
        error={form.faultAt('/yesValues')}
        maw={560}
        disabled={isReadOnly}
        value={form.value.yesValues}
        onChange={(words) => form.set('/yesValues', words)}
      />
      <ChoiceField {...choiceProps} at="/openConsentField" label={t('openConsent')} help={t('openConsentWhy')} />
    </FieldGroup>
  )
}
