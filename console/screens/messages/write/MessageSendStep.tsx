import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { approvalRequestPath } from '../../../components/asked-object.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { MessageFindings } from '../MessageFindings.tsx'
import { messageTexts } from '../texts.ts'
import { useIsChannelCaptured } from '../use-captured.ts'
import { useSendingSettings } from '../use-sending.ts'
import { ExperimentSummary } from '../versions/ExperimentSummary.tsx'
import { hasContentVersions } from '../versions/experiment.ts'
import { CampaignProgress } from './CampaignProgress.tsx'
import { CapturedTest } from './CapturedTest.tsx'
import type { EditedMessage, MessageChannelSpec } from './channel.ts'
import { ExcludedContacts } from './MessageAudience.tsx'
import {
  hasLastAttemptFailed,
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

/** All of it in words: who gets what, when, how fast, until when, and whether it is really sent. */
function SendingSummary({ channel, message }: Pick<Props, 'channel' | 'message'>) {
  const t = useTranslator(messageTexts)
  const format = useLocaleFormat()
  const segments = useSegments()
  const audience = useMessageAudience(channel, message)
  const isCaptured = useIsChannelCaptured(channel.name)
  // From its beginning on its progress says who gets it.
  const hasStarted = Boolean(message.monitor)
  const captureNotice = isCaptured && !hasStarted && <p>{t('capturedWhy')}</p>
  if (!channel.isCampaign(message))
    return (
      <>
        <p>{t('onDemandWords')}</p>
        {captureNotice}
      </>
    )
  const { selected, excluded } = readMessageSegments(channel, message)
  const listSegmentNames = (ids: number[]): string =>
    format.list(ids.map((id) => segments.data?.find((segment) => segment.id === id)?.name ?? String(id)))
  if (selected.length === 0) return <p>{t('nobody')}</p>
  return (
    <>
      {!hasStarted && audience.error && <ProblemAlert error={audience.error} onRetry={() => void audience.refetch()} />}
      {!hasStarted && audience.data && isCaptured !== undefined && (
        <p>
          <strong>
            {t(isCaptured ? 'peopleCaptured' : 'people', {
              count: audience.data.net,
              when: describeSchedule(channel, message, t, format),
            })}
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
      {captureNotice}
      {hasContentVersions(channel, message) && <ExperimentSummary message={message} />}
    </>
  )
}

/** Who is left out of what has not begun yet, and why. */
function LeftOut({ channel, message }: Pick<Props, 'channel' | 'message'>) {
  const { data } = useMessageAudience(channel, message)
  return data ? <ExcludedContacts count={data} /> : null
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

/** The step on from here, or the way back. */
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
  if (isMessageBusy(messageStatus)) return 'isValidating'
  return hasLastAttemptFailed(message) ? 'isFailed' : 'isDraft'
}

/** The review: everything in words, what was found, the test, and then the way out. */
export function MessageSendStep(props: Props) {
  const { channel, message, onDone } = props
  const t = useTranslator(messageTexts)
  const canSend = useHasRight('send')
  const isCaptured = useIsChannelCaptured(channel.name)
  const messageStatus = channel.standing(message)
  const { Facts, Test } = channel
  const hasStarted = Boolean(message.monitor)
  const isTestable =
    (isMessageDraft(messageStatus) && !isMessageIncomplete(messageStatus)) || messageStatus.active === false
  const lastTest = message.informations?.lastValidation
  return (
    <>
      {!hasStarted && <MessageFindings message={message} />}
      <PagePanel title={t('inWords')}>
        {Facts && !hasStarted && (
          <Suspense fallback={<LoadingSkeleton lines={[60, 40]} />}>
            <Facts message={message} />
          </Suspense>
        )}
        <SendingSummary channel={channel} message={message} />
      </PagePanel>
      {!hasStarted && channel.isCampaign(message) && <LeftOut channel={channel} message={message} />}
      {channel.Progress && <channel.Progress message={message} />}
      {message.monitor && <CampaignProgress channel={channel} message={message} />}
      {canSend && isTestable && !props.isDirty && (
        <PagePanel title={t('test')}>
          <Test message={message} onDone={onDone} />
        </PagePanel>
      )}
      {isCaptured && !hasStarted && lastTest?.phase === 'test' && lastTest.endedAt !== null && (
        <CapturedTest channel={channel.name} from={lastTest.startedAt} until={lastTest.endedAt} />
      )}
      <PagePanel title={t('nextStep')}>
        <p role="status">{t(findStepKey(props))}</p>
        {canSend && <NextStepActions {...props} />}
      </PagePanel>
    </>
  )
}
