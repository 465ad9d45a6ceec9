import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type en from './en.ts'
import styles from './ReportPage.module.css'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

const DEVICE_KEYS: Readonly<Record<string, keyof typeof en>> = {
  desktop: 'desktop',
  phone: 'phone',
  tablet: 'tablet',
  server: 'server',
  unknown: 'unknown',
}

type DeviceCount = ApiMessageReport['devices'][number]

/** Opens and clicks by a part of the device, the most frequent first. */
function sumByDevice(
  devices: readonly DeviceCount[],
  nameOf: (device: DeviceCount) => string | null,
): [string | null, number][] {
  const counts = new Map<string | null, number>()
  for (const device of devices) {
    const name = nameOf(device)
    counts.set(name, (counts.get(name) ?? 0) + device.opens + device.clicks)
  }
  return [...counts].sort(([, leftCount], [, rightCount]) => rightCount - leftCount)
}

const MAX_BARS = 6

function DeviceBars({ label, counts, total }: { label: string; counts: [string, number][]; total: number }) {
  return (
    <ul className={styles['devices']} aria-label={label}>
      {counts.slice(0, MAX_BARS).map(([name, count]) => (
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
  const deviceTypes = sumByDevice(devices, ({ type }) => (DEVICE_KEYS[type] ? t(DEVICE_KEYS[type]) : type)) as [
    string,
    number,
  ][]
  const mailClients = sumByDevice(devices, ({ client }) => client ?? t('unknown')) as [string, number][]
  return (
    <PagePanel title={t('devices')}>
      <DeviceBars label={t('devices')} counts={deviceTypes} total={total} />
      <h3 className={styles['minor']}>{t('readers')}</h3>
      <DeviceBars label={t('readers')} counts={mailClients} total={total} />
      <small>{t('devicesWhy')}</small>
    </PagePanel>
  )
}
