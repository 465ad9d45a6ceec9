import { useTranslator } from '../../text/catalogue.ts'
import { DefinedTerm } from '../layout/DefinedTerm.tsx'
import styles from './PhoneScreen.module.css'
import { PhoneRow, PhoneScreen } from './PhoneScreen.tsx'
import { phoneTexts } from './texts.ts'

interface Props {
  from: string
  text: string
  encoding?: string | undefined
  segments?: number | undefined
}

/** An SMS as a phone shows it, and what it takes. */
export function SmsBubble({ from, text, encoding, segments }: Props) {
  const t = useTranslator(phoneTexts)
  return (
    <>
      <PhoneRow>
        <PhoneScreen from={from}>
          <p className={styles['bubble']}>
            <bdi>{text}</bdi>
          </p>
        </PhoneScreen>
      </PhoneRow>
      <p className={styles['takes']}>
        {segments !== undefined && (
          <>
            <span className={styles['segments']} aria-hidden>
              {Array.from({ length: segments }, (_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: segments are their places.
                <i key={place} />
              ))}
            </span>
            <DefinedTerm definition={t('segmentsWhy')}>{t('segments', { count: segments })}</DefinedTerm>
          </>
        )}
        <span>{t('characters', { count: [...text].length })}</span>
        {(encoding === 'gsm7' || encoding === 'ucs2') && (
          <DefinedTerm definition={t(`${encoding}Why`)}>{t(encoding)}</DefinedTerm>
        )}
      </p>
    </>
  )
}
