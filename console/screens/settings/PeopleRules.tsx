import { api, data, versioned } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { FieldGroup, SwitchField } from '../../components/form/fields.tsx'
import { useText } from '../../text/catalogue.ts'
import { DocumentForm, ifMatch } from './DocumentForm.tsx'
import { settingsTexts } from './texts.ts'

type Rules = Answer<'/settings/people', 'get'>

const POINTERS = ['/approval', '/requireSecondFactor', '/maskPersonalData']

const read = () => versioned(api.GET('/settings/people'))
const write = (body: Rules, etag: string | null) => data(api.PUT('/settings/people', { body, headers: ifMatch(etag) }))

/** What the account asks of its people. */
export function PeopleRules() {
  const t = useText(settingsTexts)
  return (
    <DocumentForm<Rules> name="people" pointers={POINTERS} read={read} write={write}>
      {(own) => (
        <FieldGroup title={t('rules')}>
          <SwitchField {...own} at="/approval" label={t('approval')} help={t('approvalWhy')} />
          <SwitchField {...own} at="/requireSecondFactor" label={t('requireFactor')} help={t('requireFactorWhy')} />
          <SwitchField {...own} at="/maskPersonalData" label={t('mask')} help={t('maskWhy')} />
        </FieldGroup>
      )}
    </DocumentForm>
  )
}
