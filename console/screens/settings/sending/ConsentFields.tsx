import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SettingsFieldsProps } from '../SettingsForm.tsx'
import type { SendingSettingsForm } from './document.ts'
import styles from './Sending.module.css'
import { sendingSettingsTexts } from './texts.ts'

/** Which fields of contacts say that they agreed, and by which words. */
export function ConsentFields(own: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = own
  const fields = useQuery({
    queryKey: ['fields'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/fields', { signal })),
  })
  const choices = (fields.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const field = { ...own, choices, isNumber: true, isClearable: true }
  return (
    <FieldGroup title={t('consent')}>
      <p className={styles['why']}>{t('consentWhy')}</p>
      <ChoiceField {...field} at="/optInField" label={t('optIn')} />
      <ChoiceField {...field} at="/doubleOptInField" label={t('doubleOptIn')} />
      <TagsInput
        label={t('yes')}
        description={t('yesWhy')}
        error={form.faultAt('/yesValues')}
        maw={560}
        disabled={isReadOnly}
        value={form.value.yesValues}
        onChange={(words) => form.set('/yesValues', words)}
      />
      <ChoiceField {...field} at="/openConsentField" label={t('openConsent')} help={t('openConsentWhy')} />
    </FieldGroup>
  )
}
