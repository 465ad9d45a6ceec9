import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
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
function SendingSummary({ channel, message }: Pick<Props, 'channel' | 'message'>) {
  const t = useTranslator(messageTexts)
  const format = useLocaleFormat()
  const segments = useSegments()
  const audience = useMessageAudience(channel, message)
  // From its beginning on its progress says who gets it.
  const hasStarted = Boolean(message.monitor)
  if (!channel.isCampaign(message)) return <p>{t('onDemandWords')}</p>
  const { selected, excluded } = readMessageSegments(channel, message)
  const listSegmentNames = (ids: number[]): string =>
    format.list(ids.map((id) => segments.data?.find((segment) => segment.id === id)?.name ?? String(id)))
  if (selected.length === 0) return <p>{t('nobody')}</p>
  return (
    <>
      {!hasStarted && audience.error && <ProblemAlert error={audience.error} onRetry={() => void audience.refetch()} />}
      {!hasStarted && audience.data && (
        <p>
          <strong>
            {t('people', { count: audience.data.net, when: describeSchedule(channel, message, t, format) })}
          </strong>
        </p>
      )}
      <p>
        {t(excluded.length > 0 ? 'fromMinus' : 'fromSegments', {
          segments: listSegmentNames(selected),
          excluded: listSegmentNames(excluded),
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
  const isLargeAudience = isCampaign && (audience.data?.net ?? 0) > TYPED_CONFIRM_THRESHOLD
  return (
    <ConfirmDialog
      title={t(isCampaign ? 'sendTitle' : 'openTitle', { name: message.name })}
      action={t(isCampaign ? 'send' : 'open')}
      isDangerous={isCampaign}
      {...(isLargeAudience && { name: message.name })}
      onConfirm={async () => {
        await channel.commands.validate(String(message.id))
        await onDone()
      }}
      onClose={onClose}
    >
      <SendingSummary channel={channel} message={message} />
    </ConfirmDialog>
  )
}

/** The one step on from here, or the way back. */
function NextStepActions({ channel, message, isDirty, onDone }: Props) {
  const t = useTranslator(messageTexts)
  const [isConfirming, setAsking] = useState(false)
  const messageStatus = channel.standing(message)
  const approvalRules = useQuery({
    queryKey: ['peopleRules'],
    queryFn: () => apiClient.getPeopleSettings(),
  })
  const sendingSettings = useSendingSettings()
  const revokeValidation = useAsyncAction(async () => {
    await channel.commands.revoke(String(message.id))
    await onDone()
  })
  const needsNoTest = messageStatus.state === 20 && (channel.isFree || sendingSettings.data?.testRequired === false)
  const isReady = isMessageTested(messageStatus) || needsNoTest || messageStatus.active === false
  return (
    <>
      {revokeValidation.error !== null && <ProblemAlert error={revokeValidation.error} />}
      <Group gap={8}>
        {isReady && approvalRules.data?.approval !== true && (
          <Button disabled={isDirty} onClick={() => setAsking(true)}>
            {t(channel.isCampaign(message) ? 'send' : 'open')}
          </Button>
        )}
        {isReady && approvalRules.data?.approval === true && (
          <Button component="a" href={approvalRequestPath(location.pathname)}>
            {t('askApproval')}
          </Button>
        )}
        {(isMessageTested(messageStatus) || isMessageValidated(messageStatus)) && (
          <Button variant="default" loading={revokeValidation.isBusy} onClick={() => void revokeValidation.run()}>
            {t('revoke')}
          </Button>
        )}
      </Group>
      {isConfirming && (
        <ValidateDialog channel={channel} message={message} onDone={onDone} onClose={() => setAsking(false)} />
      )}
    </>
  )
}

/** Returns the text key for the state of the message and its next step. */
function findStepKey({ channel, message, isDirty }: Omit<Props, 'onDone'>) {
  const messageStatus = channel.standing(message)
  if (isDirty) return 'saveFirst'
  if (isMessageIncomplete(messageStatus)) return 'isIncomplete'
  if (isMessageTesting(messageStatus)) return 'isTesting'
  if (isMessageTested(messageStatus)) return 'isTested'
  if (isMessageSending(messageStatus)) return messageStatus.paused ? 'isPaused' : 'isSending'
  if (isMessageFinished(messageStatus)) return 'isOver'
  if (isMessageValidated(messageStatus)) return channel.isCampaign(message) ? 'isScheduled' : 'isOpen'
  return isMessageBusy(messageStatus) ? 'isValidating' : 'isDraft'
}

/** The last page: everything in words, the test, and the way out. */
export function MessageSendStep(props: Props) {
  const { channel, message, onDone } = props
  const t = useTranslator(messageTexts)
  const canSend = useHasRight('send')
  const messageStatus = channel.standing(message)
  const { Test } = channel
  const isTestable = isMessageDraft(messageStatus) || messageStatus.active === false
  return (
    <>
      <PagePanel title={t('inWords')}>
        <SendingSummary channel={channel} message={message} />
        <p role="status">{t(findStepKey(props))}</p>
        {canSend && <NextStepActions {...props} />}
      </PagePanel>
      {channel.Progress && <channel.Progress message={message} />}
      {message.monitor && <CampaignProgress channel={channel} message={message} onDone={onDone} />}
      {canSend && isTestable && !isMessageIncomplete(messageStatus) && !props.isDirty && (
        <PagePanel title={t('test')}>
          <Test message={message} onDone={onDone} />
        </PagePanel>
      )}
    </>
  )
}
