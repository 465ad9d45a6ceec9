import type { ApiAnswer } from '../../api/shapes.ts'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'

export type ListedApiWebhook = ApiAnswer<'listWebhooks'>[number]

/** Event kinds that a webhook can report. */
export const webhookEventKinds = [
  'executions',
  'activations',
  'cancellations',
  'bounces',
  'complaints',
  'hits',
  'hits/open',
  'hits/redirection',
  'hits/unsubscribe',
  'hits/mirror',
  'hits/form',
  'hits/dismiss',
  'responses',
  'responses/stop',
  'responses/other',
  'deliveries',
  'interactions',
  'impressions',
  'optouts',
  'custom',
  'message.postponed',
  'import.completed',
  'target.created',
  'target.updated',
  'target.deleted',
  'target.redlisted',
  'target.bounced',
  'segment.entered',
  'segment.left',
  'subscription.created',
  'subscription.deleted',
] as const

/** Badge for the delivery state of a webhook. */
export function WebhookStateBadge({ webhook: { active, state } }: { webhook: ListedApiWebhook }) {
  const t = useTranslator(developerTexts)
  if (!active) return <StateBadge tone="neutral">{t('inactive')}</StateBadge>
  if (state === 'ok') return <StateBadge tone="good">{t('ok')}</StateBadge>
  return (
    <StateBadge tone={state === 'failing' ? 'warning' : 'bad'} hint={t(`${state}Why`)}>
      {t(state)}
    </StateBadge>
  )
}
