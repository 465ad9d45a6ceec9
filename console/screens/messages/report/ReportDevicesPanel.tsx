import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type en from './en.ts'
import styles from './ReportPage.module.css'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

const KNOWN: Readonly<Record<string, keyof typeof en>> = {
  desktop: 'desktop',
  phone: 'phone',
  tablet: 'tablet',
  server: 'server',
  unknown: 'unknown',
}

type Device = ApiMessageReport['devices'][number]

/** Opens and clicks by a part of the device, the most frequent first. */
function summed(devices: readonly Device[], nameOf: (device: Device) => string | null): [string | null, number][] {
  const counts = new Map<string | null, number>()
  for (const device of devices) {
    const name = nameOf(device)
    counts.set(name, (counts.get(name) ?? 0) + device.opens + device.clicks)
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}

const SHOWN = 6

function Bars({ label, counts, total }: { label: string; counts: [string, number][]; total: number }) {
  return (
    <ul className={styles['devices']} aria-label={label}>
      {counts.slice(0, SHOWN).map(([name, count]) => (
        <li key={name}>
          <span>
            <bdi>{name}</bdi>
          </span>
          <span className={styles['track']} aria-hidden>
            <span style={{ width: `${(count / total) * 100}%` }} />
          </span>
          <span>
            <FormattedNumber value={count} />{' '}
            <small>
              <FormattedNumber value={count / total} percent />
            </small>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** On what people opened and followed it, and in which reader. */
export function ReportDevicesPanel({ report: { devices } }: { report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const total = devices.reduce((sum, { opens, clicks }) => sum + opens + clicks, 0)
  if (total === 0) return null
  const types = summed(devices, ({ type }) => (KNOWN[type] ? t(KNOWN[type]) : type)) as [string, number][]
  const readers = summed(devices, ({ client }) => client ?? t('unknown')) as [string, number][]
  return (
    <PagePanel title={t('devices')}>
      <Bars label={t('devices')} counts={types} total={total} />
      <h3 className={styles['minor']}>{t('readers')}</h3>
      <Bars label={t('readers')} counts={readers} total={total} />
      <small>{t('devicesWhy')}</small>
    </PagePanel>
  )
}
