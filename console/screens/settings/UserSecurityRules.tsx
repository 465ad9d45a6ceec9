import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FieldGroup, SwitchField } from '../../components/form/fields.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildIfMatchHeader, SettingsForm } from './SettingsForm.tsx'
import { settingsScreenTexts } from './texts.ts'

type SecurityRules = ApiAnswer<'getPeopleSettings'>

const FIELD_POINTERS = ['/approval', '/requireSecondFactor', '/maskPersonalData']

const readRules = () => readVersionedAnswer(apiClient.getPeopleSettings)
const writeRules = (body: SecurityRules, etag: string | null) =>
  apiClient.updatePeopleSettings({ body, headers: buildIfMatchHeader(etag) })

/** Security requirements of the account for its users. */
export function UserSecurityRules() {
  const t = useTranslator(settingsScreenTexts)
  return (
    <SettingsForm<SecurityRules> name="people" pointers={FIELD_POINTERS} read={readRules} write={writeRules}>
      {(fieldProps) => (
        <FieldGroup title={t('rules')}>
          <SwitchField {...fieldProps} at="/approval" label={t('approval')} help={t('approvalWhy')} />
          <SwitchField
            {...fieldProps}
            at="/requireSecondFactor"
            label={t('requireFactor')}
            help={t('requireFactorWhy')}
          />
          <SwitchField {...fieldProps} at="/maskPersonalData" label={t('mask')} help={t('maskWhy')} />
        </FieldGroup>
      )}
    </SettingsForm>
  )
}
