import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './PhoneScreen.module.css'
import { phoneTexts } from './texts.ts'

export type PhonePlatform = 'android' | 'ios'

/** The time conventionally shown in product pictures of phones. */
const CLOCK_TEXT = '9:41'

interface Props {
  platform?: PhonePlatform
  /** Sender of the conversation; the lock screen if absent. */
  from?: string
  children: ReactNode
}

/** The screen of a phone: a conversation, or what comes up while nobody uses it. */
export function PhoneScreen({ platform, from, children }: Props) {
  const t = useTranslator(phoneTexts)
  return (
    <figure className={styles['phone']} data-platform={platform} data-kind={from === undefined ? 'locked' : 'talk'}>
      {platform && <figcaption>{t(platform)}</figcaption>}
      <div className={styles['screen']}>
        <p className={styles['clock']} aria-hidden>
          {CLOCK_TEXT}
        </p>
        {from !== undefined && (
          <p className={styles['from']}>
            <span className={styles['face']} aria-hidden>
              {[...from.trim()][0]?.toUpperCase()}
            </span>
            <bdi>{from}</bdi>
          </p>
        )}
        <div className={styles['talk']}>{children}</div>
      </div>
    </figure>
  )
}

/** Phones side by side, in light mode until the other is chosen. */
export function PhoneRow({ children }: { children: ReactNode }) {
  const t = useTranslator(phoneTexts)
  const [shownScheme, setScheme] = useState('light')
  return (
    <div className={styles['beside']}>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('scheme')}
        data={(['light', 'dark'] as const).map((value) => ({ value, label: t(value) }))}
        value={shownScheme}
        onChange={setScheme}
      />
      <div className={styles['phones']} data-scheme={shownScheme}>
        {children}
      </div>
    </div>
  )
}
