import { Progress as Bar, Button, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasRight } from '../../../api/me.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { messageTexts } from '../texts.ts'
import type { EditedMessage, MessageChannelSpec } from './channel.ts'
import { isMessageSending } from './standing.ts'

interface Props {
  channel: MessageChannelSpec
  message: EditedMessage
  onDone(): Promise<void>
}

/** Pause and resume a campaign that is being sent, in the head of its pages; of a paused one also its end. */
export function CampaignControls(props: Props) {
  const canSend = useHasRight('send')
  return canSend && isMessageSending(props.channel.standing(props.message)) ? <SendingControls {...props} /> : null
}

function SendingControls({ channel, message, onDone }: Props) {
  const t = useTranslator(messageTexts)
  const navigate = useNavigate()
  const [isStopping, setStopping] = useState(false)
  const { pause, resume } = channel.commands
  const id = String(message.id)
  const isPaused = channel.standing(message).paused
  const pendingCount = message.monitor?.pending ?? 0
  const toggleSending = useAsyncAction(async () => {
    await (isPaused ? resume?.(id) : pause?.(id))
    await onDone()
  })
  return (
    <>
      {toggleSending.error !== null && <ProblemAlert error={toggleSending.error} />}
      <Group gap={8}>
        {isPaused && (
          <Button variant="subtle" color="red" onClick={() => setStopping(true)}>
            {t('stop')}
          </Button>
        )}
        {(isPaused ? resume : pause) && (
          <Button
            {...(!isPaused && { variant: 'default' })}
            loading={toggleSending.isBusy}
            onClick={() => void toggleSending.run()}
          >
            {t(isPaused ? 'resume' : 'pause')}
          </Button>
        )}
      </Group>
      {isStopping && (
        <ConfirmDialog
          title={t('stopTitle', { name: message.name })}
          action={t('stop')}
          {...(pendingCount > TYPED_CONFIRM_THRESHOLD && { name: message.name })}
          onConfirm={async () => {
            await channel.kind.remove(id)
            await navigate({ to: '/messages/$channel', params: { channel: channel.name } })
          }}
          onClose={() => setStopping(false)}
        >
          <p>{t('stopWhy', { count: pendingCount })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Progress of a campaign, as reported by its monitor. */
export function CampaignProgress({ channel, message }: Omit<Props, 'onDone'>) {
  const t = useTranslator(messageTexts)
  const { monitor } = message
  if (!monitor) return null
  const { recipients, sent: sentCount, cancelled, refused, held: heldCount, pending } = monitor
  const doneCount = recipients - pending
  const progressFigures = [
    ['sent', sentCount],
    ['pending', pending],
    ['cancelled', cancelled],
    ['refused', refused],
    ['held', heldCount],
  ] as const
  return (
    <PagePanel title={t('progress')}>
      <Bar
        value={recipients === 0 ? 100 : (100 * doneCount) / recipients}
        aria-label={t('progressOf', { done: doneCount, recipients })}
      />
      <p role="status">{t('progressOf', { done: doneCount, recipients })}</p>
      <StatFigures>
        {progressFigures.map(([key, value]) => (
          <StatFigure key={key} label={t(key)} definition={t(`${key}Why`)}>
            <FormattedNumber value={value} />
          </StatFigure>
        ))}
      </StatFigures>
      <div>
        <Button component={Link} to={`${objectPaths.message(channel.name, message.id)}/report`} variant="default">
          {t('toReport')}
        </Button>
      </div>
    </PagePanel>
  )
}
