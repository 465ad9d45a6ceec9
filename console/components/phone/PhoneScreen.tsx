import { SegmentedControl, useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './PhoneScreen.module.css'
import { phoneTexts } from './texts.ts'

export type PhonePlatform = 'android' | 'ios'

/** What phones of pictures have always shown. */
const CLOCK = '9:41'

interface Props {
  platform?: PhonePlatform
  /** Whom a conversation is with; absent: the screen that waits for its owner. */
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
          {CLOCK}
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

/** Phones beside each other, in the light or the dark that their owners have chosen. */
export function PhoneRow({ children }: { children: ReactNode }) {
  const t = useTranslator(phoneTexts)
  const own = useComputedColorScheme('light')
  const [chosen, setChosen] = useState<string | null>(null)
  const scheme = chosen ?? own
  return (
    <div className={styles['beside']}>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('scheme')}
        data={(['light', 'dark'] as const).map((value) => ({ value, label: t(value) }))}
        value={scheme}
        onChange={setChosen}
      />
      <div className={styles['phones']} data-scheme={scheme}>
        {children}
      </div>
    </div>
  )
}
