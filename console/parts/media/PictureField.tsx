import { Button, TextInput } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'

const MediaPicker = lazy(() => import('./MediaPicker.tsx').then((module) => ({ default: module.MediaPicker })))

interface Props {
  label: string
  size: 'xs' | 'sm'
  readOnly: boolean
  value: string
  /** Nothing says in words what it shows. */
  isSilent: boolean
  onChange(value: string): void
}

/** The address of a picture: written, or chosen among the media. */
export function PictureField({ label, size, readOnly, value, isSilent, onChange }: Props) {
  const t = useText(mediaTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles['field']}>
      <TextInput
        label={label}
        size={size}
        readOnly={readOnly}
        value={value}
        {...(value !== '' && isSilent && !readOnly && { description: t('silent') })}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!readOnly && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPhoto size={14} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('choosePicture')}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <MediaPicker
            onClose={() => setOpen(false)}
            onChoose={({ address }) => {
              onChange(address)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
