import { IconFileText, IconPhoto, IconVideo } from '@tabler/icons-react'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './PhoneScreen.module.css'
import { phoneTexts } from './texts.ts'

const extractFileName = (address: string): string => address.split(/[?#]/)[0]?.split('/').at(-1) || address

function findFileIcon(name: string) {
  if (/\.(mp4|m4v|3gp|mov|webm)$/i.test(name)) return IconVideo
  return /\.pdf$/i.test(name) ? IconFileText : IconPhoto
}

/** In place of a file, which this page does not load from elsewhere: its name, with its address one hover away. */
export function PhoneMedia({ address, height = 'MEDIUM' }: { address: string; height?: string | undefined }) {
  const t = useTranslator(phoneTexts)
  const name = extractFileName(address)
  const FileIcon = findFileIcon(name)
  return (
    <p className={styles['media']} data-height={height} title={t('mediaAt', { address })}>
      <FileIcon size={22} stroke={1.5} aria-hidden />
      <bdi>{name}</bdi>
    </p>
  )
}
