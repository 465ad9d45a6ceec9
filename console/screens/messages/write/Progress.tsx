import { Progress as Bar, Button, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { Confirm, TYPED_ABOVE } from '../../../components/Confirm.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { useAct } from '../../../components/use-act.ts'
import { pathOf } from '../../../paths.ts'
import { useText } from '../../../text/catalogue.ts'
import { messageTexts } from '../texts.ts'
import type { Channel, Message } from './channel.ts'
import { isSending } from './standing.ts'

interface Props {
  channel: Channel
  message: Message
  onDone(): Promise<void>
}

/** Pause and resume; of a paused one also its end. */
export function Controls({ channel, message, onDone }: Props) {
  const t = useText(messageTexts)
  const navigate = useNavigate()
  const [isStopping, setStopping] = useState(false)
  const { pause, resume } = channel.commands
  const id = String(message.id)
  const isPaused = channel.standing(message).paused
  const pending = message.monitor?.pending ?? 0
  const act = useAct(async () => {
    await (isPaused ? resume?.(id) : pause?.(id))
    await onDone()
  })
  return (
    <>
      {act.error !== null && <Problem error={act.error} />}
      <Group gap={8}>
        {(isPaused ? resume : pause) && (
          <Button variant="default" loading={act.isBusy} onClick={() => void act.run()}>
            {t(isPaused ? 'resume' : 'pause')}
          </Button>
        )}
        {isPaused && (
          <Button variant="default" color="red" onClick={() => setStopping(true)}>
            {t('stop')}
          </Button>
        )}
      </Group>
      {isStopping && (
        <Confirm
          title={t('stopTitle', { name: message.name })}
          action={t('stop')}
          {...(pending > TYPED_ABOVE && { name: message.name })}
          onConfirm={async () => {
            await channel.kind.remove(id)
            await navigate({ to: '/messages/$channel', params: { channel: channel.name } })
          }}
          onClose={() => setStopping(false)}
        >
          <p>{t('stopWhy', { count: pending })}</p>
        </Confirm>
      )}
    </>
  )
}

/** How far a campaign is, as its monitor says. */
export function Progress({ channel, message, onDone }: Props) {
  const t = useText(messageTexts)
  const maySend = useMay('send')
  const { monitor } = message
  if (!monitor) return null
  const { recipients, sent, cancelled, refused, held, pending } = monitor
  const done = recipients - pending
  const figures = [
    ['sent', sent],
    ['pending', pending],
    ['cancelled', cancelled],
    ['refused', refused],
    ['held', held],
  ] as const
  return (
    <Panel title={t('progress')}>
      <Bar
        value={recipients === 0 ? 100 : (100 * done) / recipients}
        aria-label={t('progressOf', { done, recipients })}
      />
      <p role="status">{t('progressOf', { done, recipients })}</p>
      <Stats>
        {figures.map(([key, value]) => (
          <Stat key={key} label={t(key)} definition={t(`${key}Why`)}>
            <Num value={value} />
          </Stat>
        ))}
      </Stats>
      {maySend && isSending(channel.standing(message)) && <Controls {...{ channel, message, onDone }} />}
      <div>
        <Button component={Link} to={`${pathOf.message(channel.name, message.id)}/report`} variant="default">
          {t('toReport')}
        </Button>
      </div>
    </Panel>
  )
}
