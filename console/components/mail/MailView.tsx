import { SegmentedControl, Switch, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { MessageFrame } from '../MessageFrame.tsx'
import styles from './MailView.module.css'
import { mailTexts } from './texts.ts'

type MailViewMode = 'desktop' | 'phone' | 'text' | 'source'

const VIEW_WIDTHS_PX = { desktop: 720, phone: 375 }

interface Props {
  html: string
  /** Text part of the mail; `undefined` if there is none. */
  text?: string | undefined
  title: string
  height?: number
  /** Its HTML can be read too. */
  hasSource?: boolean
}

/** A mail in its own page: wide, as on a phone, in the dark, its text or its HTML alone; pictures of the internet when they are asked for. */
export function MailView({ html, text, title, height = 520, hasSource = false }: Props) {
  const t = useTranslator(mailTexts)
  const [viewMode, setViewMode] = useState<MailViewMode>('desktop')
  const [isDark, setDark] = useState(false)
  const [hasPictures, setPictures] = useState(false)
  const viewModes: MailViewMode[] = [
    'desktop',
    'phone',
    ...(text === undefined ? [] : (['text'] as const)),
    ...(hasSource ? (['source'] as const) : []),
  ]
  return (
    <div className={styles['view']}>
      <div className={styles['switches']}>
        <SegmentedControl
          size="xs"
          aria-label={t('view')}
          data={viewModes.map((value) => ({ value, label: t(value) }))}
          value={viewMode}
          onChange={(chosenView) => setViewMode(chosenView as MailViewMode)}
        />
        <Switch
          size="xs"
          label={t('dark')}
          checked={isDark}
          onChange={(event) => setDark(event.currentTarget.checked)}
        />
        <Tooltip label={t('picturesWhy')}>
          <Switch
            size="xs"
            label={t('pictures')}
            checked={hasPictures}
            onChange={(event) => setPictures(event.currentTarget.checked)}
          />
        </Tooltip>
      </div>
      {viewMode === 'text' || viewMode === 'source' ? (
        <pre className={styles['text']} tabIndex={0}>
          {viewMode === 'text' ? text : html}
        </pre>
      ) : (
        <MessageFrame
          html={html}
          title={title}
          isDark={isDark}
          hasPictures={hasPictures}
          height={height}
          width={VIEW_WIDTHS_PX[viewMode]}
        />
      )}
    </div>
  )
}
