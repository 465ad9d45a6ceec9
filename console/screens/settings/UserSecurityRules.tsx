import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FieldGroup, SwitchField } from '../../components/form/fields.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildIfMatchHeader, SettingsForm } from './SettingsForm.tsx'
import { settingsScreenTexts } from './texts.ts'

type Rules = ApiAnswer<'/settings/people', 'get'>

const POINTERS = ['/approval', '/requireSecondFactor', '/maskPersonalData']

const read = () => readVersionedAnswer(apiClient.GET('/settings/people'))
const write = (body: Rules, etag: string | null) =>
  readAnswer(apiClient.PUT('/settings/people', { body, headers: buildIfMatchHeader(etag) }))

/** What the account asks of its people. */
export function UserSecurityRules() {
  const t = useTranslator(settingsScreenTexts)
  return (
    <SettingsForm<Rules> name="people" pointers={POINTERS} read={read} write={write}>
      {(own) => (
        <FieldGroup title={t('rules')}>
          <SwitchField {...own} at="/approval" label={t('approval')} help={t('approvalWhy')} />
          <SwitchField {...own} at="/requireSecondFactor" label={t('requireFactor')} help={t('requireFactorWhy')} />
          <SwitchField {...own} at="/maskPersonalData" label={t('mask')} help={t('maskWhy')} />
        </FieldGroup>
      )}
    </SettingsForm>
  )
}
