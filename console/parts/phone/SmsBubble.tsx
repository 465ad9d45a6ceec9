import { useText } from '../../text/catalogue.ts'
import { Defined } from '../Defined.tsx'
import styles from './Phone.module.css'
import { Phone } from './Phone.tsx'
import { phoneTexts } from './texts.ts'

interface Props {
  from: string
  text: string
  encoding?: string | undefined
  segments?: number | undefined
}

/** An SMS as a phone shows it, and what it takes. */
export function SmsBubble({ from, text, encoding, segments }: Props) {
  const t = useText(phoneTexts)
  return (
    <Phone from={from}>
      <p className={styles['bubble']}>{text}</p>
      <p className={styles['takes']}>
        {segments !== undefined && (
          <Defined definition={t('segmentsWhy')}>{t('segments', { count: segments })}</Defined>
        )}
        <span>{t('characters', { count: [...text].length })}</span>
        {(encoding === 'gsm7' || encoding === 'ucs2') && <span>{t(encoding)}</span>}
      </p>
    </Phone>
  )
}
