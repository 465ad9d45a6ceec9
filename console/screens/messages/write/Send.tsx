import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { useMay } from '../../../api/me.ts'
import { askingPath } from '../../../components/asked-object.ts'
import { Confirm, TYPED_ABOVE } from '../../../components/Confirm.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { messageTexts } from '../texts.ts'
import { useSending } from '../use-sending.ts'
import { hasVersions } from '../versions/experiment.ts'
import { TriedWords } from '../versions/TriedWords.tsx'
import type { Channel, Message } from './channel.ts'
import { Progress } from './Progress.tsx'
import { isBusy, isDraft, isIncomplete, isOver, isSending, isTested, isTesting, isValidated } from './standing.ts'
import { segmentsOf, useAudience } from './use-audience.ts'
import { endWords, paceWords, whenWords } from './words.ts'

interface Props {
  channel: Channel
  message: Message
  /** Something of it is not saved yet: what is sent is what is stored. */
  isDirty: boolean
  onDone(): Promise<void>
}

/** All of it in words: who gets what, when, how fast, until when. */
function Summary({ channel, message }: Pick<Props, 'channel' | 'message'>) {
  const t = useText(messageTexts)
  const format = useFormat()
  const segments = useSegments()
  const audience = useAudience(channel, message)
  // From its beginning on its progress says who gets it.
  const hasBegun = Boolean(message.monitor)
  if (!channel.isCampaign(message)) return <p>{t('onDemandWords')}</p>
  const { selected, excluded } = segmentsOf(channel, message)
  const named = (ids: number[]): string =>
    format.list(ids.map((id) => segments.data?.find((one) => one.id === id)?.name ?? String(id)))
  if (selected.length === 0) return <p>{t('nobody')}</p>
  return (
    <>
      {!hasBegun && audience.error && <Problem error={audience.error} onRetry={() => void audience.refetch()} />}
      {!hasBegun && audience.data && (
        <p>
          <strong>{t('people', { count: audience.data.net, when: whenWords(channel, message, t, format) })}</strong>
        </p>
      )}
      <p>
        {t(excluded.length > 0 ? 'fromMinus' : 'fromSegments', {
          segments: named(selected),
          excluded: named(excluded),
        })}{' '}
        {paceWords(channel, message, t)} {endWords(channel, message, t, format)}
      </p>
      {hasVersions(channel, message) && <TriedWords message={message} />}
    </>
  )
}

/** Asks once more, with the numbers; the name is typed where many are reached. */
function ValidateDialog({ channel, message, onDone, onClose }: Omit<Props, 'isDirty'> & { onClose(): void }) {
  const t = useText(messageTexts)
  const audience = useAudience(channel, message)
  const isCampaign = channel.isCampaign(message)
  const isMany = isCampaign && (audience.data?.net ?? 0) > TYPED_ABOVE
  return (
    <Confirm
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
    </Confirm>
  )
}

/** The one step on from here, or the way back. */
function Onward({ channel, message, isDirty, onDone }: Props) {
  const t = useText(messageTexts)
  const [isAsking, setAsking] = useState(false)
  const standing = channel.standing(message)
  const rules = useQuery({ queryKey: ['peopleRules'], queryFn: () => data(api.GET('/settings/people')) })
  const sending = useSending()
  const revoke = useAct(async () => {
    await channel.commands.revoke(String(message.id))
    await onDone()
  })
  const isFree = standing.state === 20 && (channel.isFree || sending.data?.testRequired === false)
  const isReady = isTested(standing) || isFree || standing.active === false
  return (
    <>
      {revoke.error !== null && <Problem error={revoke.error} />}
      <Group gap={8}>
        {isReady && rules.data?.approval !== true && (
          <Button disabled={isDirty} onClick={() => setAsking(true)}>
            {t(channel.isCampaign(message) ? 'send' : 'open')}
          </Button>
        )}
        {isReady && rules.data?.approval === true && (
          <Button component="a" href={askingPath(location.pathname)}>
            {t('askApproval')}
          </Button>
        )}
        {(isTested(standing) || isValidated(standing)) && (
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
  if (isIncomplete(standing)) return 'isIncomplete'
  if (isTesting(standing)) return 'isTesting'
  if (isTested(standing)) return 'isTested'
  if (isSending(standing)) return standing.paused ? 'isPaused' : 'isSending'
  if (isOver(standing)) return 'isOver'
  if (isValidated(standing)) return channel.isCampaign(message) ? 'isScheduled' : 'isOpen'
  return isBusy(standing) ? 'isValidating' : 'isDraft'
}

/** The last page: everything in words, the test, and the way out. */
export function Send(props: Props) {
  const { channel, message, onDone } = props
  const t = useText(messageTexts)
  const maySend = useMay('send')
  const standing = channel.standing(message)
  const { Test } = channel
  const isTestable = isDraft(standing) || standing.active === false
  return (
    <>
      <Panel title={t('inWords')}>
        <Summary channel={channel} message={message} />
        <p role="status">{t(stepKey(props))}</p>
        {maySend && <Onward {...props} />}
      </Panel>
      {channel.Progress && <channel.Progress message={message} />}
      {message.monitor && <Progress channel={channel} message={message} onDone={onDone} />}
      {maySend && isTestable && !isIncomplete(standing) && !props.isDirty && (
        <Panel title={t('test')}>
          <Test message={message} onDone={onDone} />
        </Panel>
      )}
    </>
  )
}
