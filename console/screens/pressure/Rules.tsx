import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import { useRuleWords } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

/** Every rule, in words. */
export function Rules() {
  const t = useText(pressureTexts)
  const topics = useTopics()
  const rules = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => data(api.GET('/marketing/pressure/rules', { signal })),
  })
  const { ruleWords } = useRuleWords(topics.data ?? [])
  return (
    <PressurePage part="rules">
      {rules.error && <Problem error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.isPending && <Skeleton lines={[30, 80, 30, 70]} />}
      {rules.data?.length === 0 && <Empty title={t('noRules')}>{t('noRulesWhy')}</Empty>}
      {rules.data && rules.data.length > 0 && (
        <ul className={styles['rules']}>
          {rules.data.map((rule) => (
            <li key={rule.id}>
              <div className={styles['name']}>
                <Link to={pathOf.rule(rule.id)}>{rule.label}</Link>
                <Badge tone={rule.active ? 'good' : 'neutral'}>{t(rule.active ? 'active' : 'inactive')}</Badge>
              </div>
              <p>{ruleWords(rule)}</p>
            </li>
          ))}
        </ul>
      )}
    </PressurePage>
  )
}
