import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { createSharedStore, useSharedStore } from '../api/store.ts'
import { useTranslator } from '../text/catalogue.ts'
import { layoutTexts } from './texts.ts'
import styles from './toasts.module.css'

const SHOWN_MS = 6000

interface Toast {
  id: number
  text: string
  undo?: (() => void) | undefined
}

const toasts = createSharedStore<readonly Toast[]>([])
let last = 0

/** Says what was done, for six seconds. `undo`: takes it back. */
export function showToast(text: string, undo?: () => void): void {
  toasts.set([...toasts.get().slice(-2), { id: ++last, text, undo }])
}

const drop = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))

function Shown({ id, text, undo }: Toast) {
  const t = useTranslator(layoutTexts)
  useEffect(() => {
    const timer = setTimeout(() => drop(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div className={styles['toast']}>
      <span>{text}</span>
      {undo && (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            drop(id)
            undo()
          }}
        >
          {t('undo')}
        </Button>
      )}
      <ActionIcon size={24} aria-label={t('close')} onClick={() => drop(id)}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}

/** Where toasts stand; read out as they come. */
export function ToastList() {
  const shown = useSharedStore(toasts)
  return (
    <div className={styles['toasts']} role="status" aria-live="polite">
      {shown.map((toast) => (
        <Shown key={toast.id} {...toast} />
      ))}
    </div>
  )
}
