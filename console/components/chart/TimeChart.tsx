import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { componentTexts } from '../texts.ts'
import { ChartTable } from './ChartTable.tsx'
import type { ChartProps } from './chart-props.ts'
import styles from './TimeChart.module.css'

const LazyChartPlot = lazy(() => import('./ChartPlot.tsx'))

/** A course over time: zero at the bottom, labelled at the lines; to be copied as a picture or read as a table. */
export function TimeChart(props: ChartProps) {
  const { title, times, series, height = 220 } = props
  const t = useTranslator(componentTexts)
  const format = useLocaleFormat()
  const name = useId()
  const boxRef = useRef<HTMLDivElement>(null)
  const [isTable, setTable] = useState(false)
  const fullTitle = `${title} · ${format.zone}`
  const saveImage = (): void => {
    const canvas = boxRef.current?.querySelector('canvas')
    if (!canvas) return
    const downloadLink = document.createElement('a')
    downloadLink.download = `${title}.png`
    downloadLink.href = canvas.toDataURL('image/png')
    downloadLink.click()
  }
  return (
    <figure className={styles['chart']} aria-labelledby={name}>
      <figcaption id={name}>
        <span>{fullTitle}</span>
        <Menu width={200}>
          <Menu.Target>
            <ActionIcon size={24} aria-label={`${t('actions')}: ${title}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setTable(!isTable)}>{t(isTable ? 'asChart' : 'asTable')}</Menu.Item>
            {!isTable && <Menu.Item onClick={saveImage}>{t('asPicture')}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      </figcaption>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <div ref={boxRef} style={{ height }} role="img" aria-label={fullTitle}>
          <Suspense fallback={<LoadingSkeleton lines={[100]} height={height - 20} />}>
            <LazyChartPlot key={`${times.length} ${series.length}`} {...props} height={height} />
          </Suspense>
        </div>
      )}
    </figure>
  )
}
