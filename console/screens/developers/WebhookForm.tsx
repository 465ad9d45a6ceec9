import { useQueryClient } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { FieldGroup, NumberField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import { listChangedPointers } from '../../components/form/pointers.ts'
import { type FormState, type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'
import { type ListedApiWebhook, webhookEventKinds } from './webhook-state.tsx'

/** A version that no webhook has. */
const STALE_ETAG = '"changed"'

/** Editable members of a webhook. */
type WebhookSettings = Pick<
  ListedApiWebhook,
  'name' | 'url' | 'events' | 'channels' | 'classification' | 'active' | 'batch'
>

const FIELD_POINTERS = [
  '/name',
  '/url',
  '/events',
  '/channels',
  '/classification',
  '/active',
  '/batch/size',
  '/batch/waitMs',
]
const WEBHOOK_CHANNELS = ['email', 'sms', 'rcs', 'notification', 'display'] as const
const EVENT_CLASSES = ['human', 'genericrobot', 'mpp', 'gsr', 'all'] as const

function extractSettings({
  name,
  url,
  events,
  channels,
  classification,
  active,
  batch,
}: ListedApiWebhook): WebhookSettings {
  return { name, url, events, channels, classification, active, batch }
}

async function loadSettings(id: string): Promise<StoredDocument<WebhookSettings>> {
  const { data: webhook, etag } = await readVersionedAnswer(apiClient.getWebhook, { path: { id } })
  return { data: extractSettings(webhook), etag }
}

/** Its figures change with each delivery, and its version with them: what people write is compared before it is bound to one. */
async function saveSettings(
  id: string,
  before: StoredDocument<WebhookSettings>,
  { value, etag }: { value: WebhookSettings; etag: string | null },
) {
  const now = await loadSettings(id)
  const effectiveEtag = listChangedPointers(before.data, now.data).length === 0 ? now.etag : etag
  const headers = effectiveEtag === null ? {} : { 'if-match': effectiveEtag }
  const body = value as ApiRequestBody<'updateWebhook'>
  await apiClient.updateWebhook({ path: { id }, body, headers })
  return loadSettings(id)
}

function WebhookFields({ form }: { form: FormState<WebhookSettings> }) {
  const t = useTranslator(developerTexts)
  const toChoices = (choiceValues: readonly string[]) => choiceValues.map((value) => ({ value, label: value }))
  const knownEvents = [...new Set<string>([...webhookEventKinds, ...form.value.events])]
  const knownChannels = [...new Set<string>([...WEBHOOK_CHANNELS, ...form.value.channels])]
  const classChoices = EVENT_CLASSES.map((value) => ({ value, label: t(`class_${value}`) }))
  return (
    <>
      <FieldGroup>
        <TextField form={form} at="/name" label={t('name')} />
        <TextField form={form} at="/url" label={t('url')} help={t('urlHelp')} type="url" />
        <SwitchField form={form} at="/active" label={t('active')} help={t('activeWhy')} />
      </FieldGroup>
      <FieldGroup title={t('what')}>
        <MultiChoiceField
          form={form}
          at="/events"
          label={t('events')}
          help={t('eventsWhy')}
          choices={toChoices(knownEvents)}
        />
        <MultiChoiceField
          form={form}
          at="/channels"
          label={t('channels')}
          help={t('channelsWhy')}
          choices={toChoices(knownChannels)}
        />
        <MultiChoiceField
          form={form}
          at="/classification"
          label={t('classes')}
          help={t('classesWhy')}
          choices={classChoices}
        />
      </FieldGroup>
      <FieldGroup title={t('batch')}>
        <NumberField form={form} at="/batch/size" label={t('batchSize')} help={t('batchSizeWhy')} min={1} max={500} />
        <NumberField form={form} at="/batch/waitMs" label={t('batchWait')} unit="ms" min={0} max={5000} />
      </FieldGroup>
    </>
  )
}

/** Settings of a webhook: address, reported events, and batching. */
export function WebhookForm({ webhook }: { webhook: ListedApiWebhook }) {
  const queryClient = useQueryClient()
  const { id } = webhook
  const storedSettings: StoredDocument<WebhookSettings> = { data: extractSettings(webhook), etag: null }
  const form = useDocumentForm<WebhookSettings>({
    name: `webhook.${id}`,
    stored: storedSettings,
    save: (value, etag) => saveSettings(id, storedSettings, { value, etag: etag ?? STALE_ETAG }),
    load: () => loadSettings(id),
    onSaved: () => void queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return (
    <FormLayout form={form} pointers={FIELD_POINTERS}>
      <WebhookFields form={form} />
    </FormLayout>
  )
}
