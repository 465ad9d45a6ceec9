import { TextInput } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Media.module.css'
import { MediaButton } from './MediaButton.tsx'
import { mediaTexts } from './texts.ts'

interface Props {
  label: string
  isLabelHidden?: boolean
  size: 'xs' | 'sm'
  readOnly: boolean
  value: string
  /** Nothing says in words what it shows. */
  isSilent: boolean
  onChange(value: string): void
}

/** The address of a picture: written, or chosen among the media. */
export function PictureField({ label, isLabelHidden = false, size, readOnly, value, isSilent, onChange }: Props) {
  const t = useTranslator(mediaTexts)
  return (
    <div className={styles['field']}>
      <TextInput
        {...(isLabelHidden ? { 'aria-label': label } : { label })}
        size={size}
        readOnly={readOnly}
        value={value}
        {...(value !== '' && isSilent && !readOnly && { description: t('silent') })}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!readOnly && <MediaButton label={t('choosePicture')} onChoose={({ address }) => onChange(address)} />}
    </div>
  )
}
