import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { FactList, PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { type RcsProfileForm, rcsProfileResource } from './profile-kind.ts'
import { RcsProfileFields } from './RcsProfileFields.tsx'
import { rcsProfileTexts } from './texts.ts'

const route = getRouteApi('/settings/rcs/$id')

type PhoneCapability = ApiAnswer<'getRcsProfileCapabilities'>

/** Asks the provider about a phone: shows what it takes, and that the credentials work. */
function CapabilityCheck({ id }: { id: string }) {
  const t = useTranslator(rcsProfileTexts)
  const format = useLocaleFormat()
  const [phoneNumber, setPhoneNumber] = useState('')
  const [capabilityAnswer, setAnswer] = useState<PhoneCapability | null>(null)
  const requestCapability = useAsyncAction(async () => {
    setAnswer(null)
    const params = { path: { id }, query: { phone: phoneNumber } }
    setAnswer(await apiClient.getRcsProfileCapabilities(params))
  })
  return (
    <PagePanel title={t('try')}>
      <p>{t('tryWhy')}</p>
      <form onSubmit={requestCapability.submit} style={{ display: 'flex', gap: 8, alignItems: 'flex-end' }}>
        <TextInput
          style={{ flex: 1 }}
          label={t('phone')}
          type="tel"
          autoComplete="off"
          value={phoneNumber}
          onChange={(event) => setPhoneNumber(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={requestCapability.isBusy} disabled={phoneNumber.trim() === ''}>
          {t('ask')}
        </Button>
      </form>
      {requestCapability.error !== null && <ProblemAlert error={requestCapability.error} />}
      {capabilityAnswer && (
        <div role="status">
          <StateBadge tone={capabilityAnswer.reachable ? 'good' : 'warning'}>
            {t(capabilityAnswer.reachable ? 'reachable' : 'unreachable')}
          </StateBadge>
          <FactList
            facts={[
              { key: 'phone', label: t('phone'), value: <bdi>{capabilityAnswer.phone}</bdi> },
              {
                key: 'features',
                label: t('features'),
                value: format.list(capabilityAnswer.features) || t('noFeatures'),
              },
              { key: 'checked', label: t('checked'), value: <FormattedTime at={capabilityAnswer.checkedAt} /> },
            ]}
          />
        </div>
      )}
    </PagePanel>
  )
}

/** URL to which the provider reports deliveries and replies. */
function WebhookAddress({ id, url }: { id: string; url: string }) {
  const t = useTranslator(rcsProfileTexts)
  const queryClient = useQueryClient()
  const [isConfirming, setAsking] = useState(false)
  const renewToken = async (): Promise<void> => {
    const renewedProfile = await readVersionedAnswer(apiClient.renewRcsProfileToken, { path: { id } })
    await queryClient.invalidateQueries({ queryKey: ['rcsProfile', id] })
    if (renewedProfile.data.webhook) showToast(t('renewed'))
  }
  return (
    <PagePanel title={t('webhook')}>
      <p>{t('webhookWhy')}</p>
      <CodeBlock code={url} label={t('url')} wrap />
      <div>
        <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
          {t('renew')}
        </Button>
      </div>
      {isConfirming && (
        <ConfirmDialog title={t('renew')} action={t('renew')} onConfirm={renewToken} onClose={() => setAsking(false)}>
          <p>{t('renewWhy')}</p>
        </ConfirmDialog>
      )}
    </PagePanel>
  )
}

function RcsProfileEditor({ id, stored: storedProfile }: { id: string; stored: StoredDocument<RcsProfileForm> }) {
  const t = useTranslator(rcsProfileTexts)
  const isReadOnly = !useHasRight('admin')
  const { name, active, webhook, provider } = storedProfile.data
  const resource = useResource(rcsProfileResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<RcsProfileForm>
      {...resource}
      title={resource.isNew ? t('newProfile') : name}
      parent={{ label: t('profiles'), to: '/settings/rcs' }}
      stored={storedProfile}
      isReadOnly={isReadOnly}
      badge={
        !resource.isNew && (
          <StateBadge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
        )
      }
      pointers={FIELD_POINTERS}
      aside={
        !resource.isNew && (
          <>
            {provider.type === 'google-rbm' && <CapabilityCheck id={id} />}
            {webhook && provider.type === 'google-rbm' && <WebhookAddress id={id} url={webhook.url} />}
          </>
        )
      }
    >
      {(form) => <RcsProfileFields form={form} isReadOnly={isReadOnly} />}
    </ResourcePage>
  )
}

const FIELD_POINTERS = [
  '/name',
  '/agent',
  '/active',
  '/country',
  '/speed',
  '/description',
  '/provider/region',
  '/provider/credentials',
  '/provider/clientToken',
  '/capability/cacheHours',
  '/fallback/sender',
]

/** An agent that rich messages are sent with. */
export function RcsProfilePage() {
  const t = useTranslator(rcsProfileTexts)
  const { id } = route.useParams()
  const profileQuery = useStoredDocument(rcsProfileResource, id)
  return (
    <DocumentLoader read={profileQuery} title={t('profile')} parent={{ label: t('profiles'), to: '/settings/rcs' }}>
      {(storedProfile) => <RcsProfileEditor key={id} id={id} stored={storedProfile} />}
    </DocumentLoader>
  )
}
