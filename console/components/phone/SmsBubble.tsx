import { useText } from '../../text/catalogue.ts'
import { Defined } from '../layout/Defined.tsx'
import styles from './Phone.module.css'
import { Phone, Phones } from './Phone.tsx'
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
    <>
      <Phones>
        <Phone from={from}>
          <p className={styles['bubble']}>
            <bdi>{text}</bdi>
          </p>
        </Phone>
      </Phones>
      <p className={styles['takes']}>
        {segments !== undefined && (
          <>
            <span className={styles['segments']} aria-hidden>
              {Array.from({ length: segments }, (_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: segments are their places.
                <i key={place} />
              ))}
            </span>
            <Defined definition={t('segmentsWhy')}>{t('segments', { count: segments })}</Defined>
          </>
        )}
        <span>{t('characters', { count: [...text].length })}</span>
        {(encoding === 'gsm7' || encoding === 'ucs2') && (
          <Defined definition={t(`${encoding}Why`)}>{t(encoding)}</Defined>
        )}
      </p>
    </>
  )
}
