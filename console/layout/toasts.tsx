import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { createSharedStore, useSharedStore } from '../api/store.ts'
import { useTranslator } from '../text/catalogue.ts'
import { layoutTexts } from './texts.ts'
import styles from './toasts.module.css'

const TOAST_DURATION_MS = 6000

interface Toast {
  id: number
  text: string
  undo?: (() => void) | undefined
}

const toastStore = createSharedStore<readonly Toast[]>([])
let lastId = 0

/** Says what was done, for six seconds. `undo`: takes it back. */
export function showToast(text: string, undo?: () => void): void {
  toastStore.set([...toastStore.get().slice(-2), { id: ++lastId, text, undo }])
}

const removeToast = (id: number): void => toastStore.set(toastStore.get().filter((toast) => toast.id !== id))

function ToastItem({ id, text, undo }: Toast) {
  const t = useTranslator(layoutTexts)
  useEffect(() => {
    const timer = setTimeout(() => removeToast(id), TOAST_DURATION_MS)
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
            removeToast(id)
            undo()
          }}
        >
          {t('undo')}
        </Button>
      )}
      <ActionIcon size={24} aria-label={t('close')} onClick={() => removeToast(id)}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}

/** Container of toasts; screen readers announce them as they appear. */
export function ToastList() {
  const shownToasts = useSharedStore(toastStore)
  return (
    <div className={styles['toasts']} role="status" aria-live="polite">
      {shownToasts.map((toast) => (
        <ToastItem key={toast.id} {...toast} />
      ))}
    </div>
  )
}
