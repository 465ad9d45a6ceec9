import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { approvalRequestPath } from '../../../components/asked-object.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { messageTexts } from '../texts.ts'
import { useSendingSettings } from '../use-sending.ts'
import { ExperimentSummary } from '../versions/ExperimentSummary.tsx'
import { hasContentVersions } from '../versions/experiment.ts'
import { CampaignProgress } from './CampaignProgress.tsx'
import type { EditedMessage, MessageChannelSpec } from './channel.ts'
import {
  isMessageBusy,
  isMessageDraft,
  isMessageFinished,
  isMessageIncomplete,
  isMessageSending,
  isMessageTested,
  isMessageTesting,
  isMessageValidated,
} from './standing.ts'
import { readMessageSegments, useMessageAudience } from './use-audience.ts'
import { describeEnd, describePace, describeSchedule } from './words.ts'

interface Props {
  channel: MessageChannelSpec
  message: EditedMessage
  /** Something of it is not saved yet: what is sent is what is stored. */
  isDirty: boolean
  onDone(): Promise<void>
}

/** All of it in words: who gets what, when, how fast, until when. */
function Summary({ channel, message }: Pick<Props, 'channel' | 'message'>) {
  const t = useTranslator(messageTexts)
  const format = useLocaleFormat()
  const segments = useSegments()
  const audience = useMessageAudience(channel, message)
  // From its beginning on its progress says who gets it.
  const hasBegun = Boolean(message.monitor)
  if (!channel.isCampaign(message)) return <p>{t('onDemandWords')}</p>
  const { selected, excluded } = readMessageSegments(channel, message)
  const named = (ids: number[]): string =>
    format.list(ids.map((id) => segments.data?.find((one) => one.id === id)?.name ?? String(id)))
  if (selected.length === 0) return <p>{t('nobody')}</p>
  return (
    <>
      {!hasBegun && audience.error && <ProblemAlert error={audience.error} onRetry={() => void audience.refetch()} />}
      {!hasBegun && audience.data && (
        <p>
          <strong>
            {t('people', { count: audience.data.net, when: describeSchedule(channel, message, t, format) })}
          </strong>
        </p>
      )}
      <p>
        {t(excluded.length > 0 ? 'fromMinus' : 'fromSegments', {
          segments: named(selected),
          excluded: named(excluded),
        })}{' '}
        {describePace(channel, message, t)} {describeEnd(channel, message, t, format)}
      </p>
      {hasContentVersions(channel, message) && <ExperimentSummary message={message} />}
    </>
  )
}

/** Asks once more, with the numbers; the name is typed where many are reached. */
function ValidateDialog({ channel, message, onDone, onClose }: Omit<Props, 'isDirty'> & { onClose(): void }) {
  const t = useTranslator(messageTexts)
  const audience = useMessageAudience(channel, message)
  const isCampaign = channel.isCampaign(message)
  const isMany = isCampaign && (audience.data?.net ?? 0) > TYPED_CONFIRM_THRESHOLD
  return (
    <ConfirmDialog
      title={t(isCampaign ? 'sendTitle' : 'openTitle', { name: message.name })}
      action={t(isCampaign ? 'send' : 'open')}
      isDangerous={isCampaign}
      {...(isMany && { name: message.name })}
      onConfirm={async () => {
        await channel.commands.validate(String(message.id))
        await onDone()
      }}
      onClose={onClose}
    >
      <Summary channel={channel} message={message} />
    </ConfirmDialog>
  )
}

/** The one step on from here, or the way back. */
function Onward({ channel, message, isDirty, onDone }: Props) {
  const t = useTranslator(messageTexts)
  const [isAsking, setAsking] = useState(false)
  const standing = channel.standing(message)
  const rules = useQuery({ queryKey: ['peopleRules'], queryFn: () => readAnswer(apiClient.GET('/settings/people')) })
  const sending = useSendingSettings()
  const revoke = useAsyncAction(async () => {
    await channel.commands.revoke(String(message.id))
    await onDone()
  })
  const isFree = standing.state === 20 && (channel.isFree || sending.data?.testRequired === false)
  const isReady = isMessageTested(standing) || isFree || standing.active === false
  return (
    <>
      {revoke.error !== null && <ProblemAlert error={revoke.error} />}
      <Group gap={8}>
        {isReady && rules.data?.approval !== true && (
          <Button disabled={isDirty} onClick={() => setAsking(true)}>
            {t(channel.isCampaign(message) ? 'send' : 'open')}
          </Button>
        )}
        {isReady && rules.data?.approval === true && (
          <Button component="a" href={approvalRequestPath(location.pathname)}>
            {t('askApproval')}
          </Button>
        )}
        {(isMessageTested(standing) || isMessageValidated(standing)) && (
          <Button variant="default" loading={revoke.isBusy} onClick={() => void revoke.run()}>
            {t('revoke')}
          </Button>
        )}
      </Group>
      {isAsking && <ValidateDialog {...{ channel, message, onDone }} onClose={() => setAsking(false)} />}
    </>
  )
}

/** What its state means, and what comes next. */
function stepKey({ channel, message, isDirty }: Omit<Props, 'onDone'>) {
  const standing = channel.standing(message)
  if (isDirty) return 'saveFirst'
  if (isMessageIncomplete(standing)) return 'isIncomplete'
  if (isMessageTesting(standing)) return 'isTesting'
  if (isMessageTested(standing)) return 'isTested'
  if (isMessageSending(standing)) return standing.paused ? 'isPaused' : 'isSending'
  if (isMessageFinished(standing)) return 'isOver'
  if (isMessageValidated(standing)) return channel.isCampaign(message) ? 'isScheduled' : 'isOpen'
  return isMessageBusy(standing) ? 'isValidating' : 'isDraft'
}

/** The last page: everything in words, the test, and the way out. */
export function MessageSendStep(props: Props) {
  const { channel, message, onDone } = props
  const t = useTranslator(messageTexts)
  const maySend = useHasRight('send')
  const standing = channel.standing(message)
  const { Test } = channel
  const isTestable = isMessageDraft(standing) || standing.active === false
  return (
    <>
      <PagePanel title={t('inWords')}>
        <Summary channel={channel} message={message} />
        <p role="status">{t(stepKey(props))}</p>
        {maySend && <Onward {...props} />}
      </PagePanel>
      {channel.Progress && <channel.Progress message={message} />}
      {message.monitor && <CampaignProgress channel={channel} message={message} onDone={onDone} />}
      {maySend && isTestable && !isMessageIncomplete(standing) && !props.isDirty && (
        <PagePanel title={t('test')}>
          <Test message={message} onDone={onDone} />
        </PagePanel>
      )}
    </>
  )
}
