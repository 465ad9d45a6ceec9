import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ApiMedia } from './calls.ts'

const LazyMediaPicker = lazy(() => import('./MediaPicker.tsx').then((module) => ({ default: module.MediaPicker })))

interface Props {
  label: string
  /** Documents too. */
  isAny?: boolean
  onChoose(media: ApiMedia): void
}

/** Opens the media of the account; the dialog is loaded when it is. */
export function MediaButton({ label, isAny = false, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPhoto size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <LazyMediaPicker
            isAny={isAny}
            onClose={() => setOpen(false)}
            onChoose={(media) => {
              onChoose(media)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
