import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslator } from '../text/catalogue.ts'
import { ProblemAlert } from './layout/ProblemAlert.tsx'
import { componentTexts } from './texts.ts'
import { useAsyncAction } from './use-act.ts'

/** Actions that reach more people than this and cannot be undone are confirmed by typing their name. */
export const TYPED_CONFIRM_THRESHOLD = 1000

interface Props {
  title: string
  /** Consequences of the action, with numbers: "12,431 people will get this at 09:00 Europe/Paris". */
  children: ReactNode
  /** Label of the confirm button: a verb. */
  action: string
  /** Typed to confirm where it is given: for what cannot be undone and reaches more than `TYPED_CONFIRM_THRESHOLD` people. */
  name?: string | undefined
  isDangerous?: boolean
  /** Its width in pixels, where what it asks needs more. */
  width?: number
  onConfirm(): Promise<void>
  onClose(): void
}

/** Asks before what cannot be undone. What can be undone is done at once, and offers to take it back (`tell`). */
export function ConfirmDialog({
  title,
  children,
  action,
  name,
  isDangerous = true,
  width = 460,
  onConfirm,
  onClose,
}: Props) {
  const t = useTranslator(componentTexts)
  const [typedName, setTypedName] = useState('')
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await onConfirm()
    onClose()
  })
  const isReady = name === undefined || typedName.trim() === name.trim()
  return (
    <Modal opened onClose={onClose} title={title} size={width} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <div style={{ display: 'grid', gap: 8 }}>{children}</div>
        {name !== undefined && (
          <TextInput
            label={t('typeName', { name })}
            autoComplete="off"
            data-autofocus
            value={typedName}
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
        )}
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color={isDangerous ? 'red' : 'teal'} loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
