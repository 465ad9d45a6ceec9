import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { useText } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'

export type WebhookRow = Answer<'/webhooks', 'get'>[number]

/** What a webhook can be told of. */
export const eventKinds = [
  ...(['executions', 'activations', 'cancellations', 'bounces', 'complaints'] as const),
  ...(['hits', 'hits/open', 'hits/redirection', 'hits/unsubscribe', 'hits/mirror', 'hits/form'] as const),
  ...(['hits/dismiss', 'responses', 'responses/stop', 'responses/other', 'deliveries', 'interactions'] as const),
  ...(['impressions', 'optouts', 'custom', 'message.postponed', 'import.completed'] as const),
  ...(['target.created', 'target.updated', 'target.deleted', 'target.redlisted', 'target.bounced'] as const),
  ...(['segment.entered', 'segment.left', 'subscription.created', 'subscription.deleted'] as const),
]

/** How the deliveries of a webhook fare, as a word. */
export function WebhookState({ webhook: { active, state } }: { webhook: WebhookRow }) {
  const t = useText(developerTexts)
  if (!active) return <Badge tone="neutral">{t('inactive')}</Badge>
  if (state === 'ok') return <Badge tone="good">{t('ok')}</Badge>
  return (
    <Badge tone={state === 'failing' ? 'warning' : 'bad'} hint={t(`${state}Why`)}>
      {t(state)}
    </Badge>
  )
}
