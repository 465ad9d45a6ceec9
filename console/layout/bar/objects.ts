import { useRouter } from '@tanstack/react-router'

/** Where the pages of objects are, by the type that the interface gives them. */
const PATHS: Record<string, string> = {
  contact: '/contacts/$id',
  segment: '/segments/$id',
  field: '/fields/$id',
  valueList: '/value-lists/$id',
  form: '/forms/$id',
  rule: '/pressure/$id',
  topic: '/pressure/topics/$id',
  import: '/imports/$id',
  importFormat: '/imports/formats/$id',
  action: '/messages/email/$id',
  mailMessage: '/messages/email/$id',
  mailCampaign: '/messages/email/$id',
  smsMessage: '/messages/sms/$id',
  smsCampaign: '/messages/sms/$id',
  rcs: '/messages/rcs/$id',
  rcsMessage: '/messages/rcs/$id',
  rcsCampaign: '/messages/rcs/$id',
  notification: '/messages/notification/$id',
  workflow: '/workflows/$id',
  compilable: '/compilables/$id',
  webtask: '/webtasks/$id',
  campaign: '/campaigns/$id',
  design: '/designs/$id',
  category: '/categories/$id',
  webhook: '/developers/webhooks/$id',
  application: '/settings/applications/$id',
  displayCampaign: '/display/campaigns/$id',
  displayPlacement: '/display/placements/$id',
  profile: '/settings/sending/$id',
  rcsProfile: '/settings/rcs/$id',
}

/** The path as its route declares it: messages of every channel share one. */
const routeOf = (path: string): string => path.replace(/^\/messages\/\w+/, '/messages/$channel')

/** The page of an object; undefined where its type has none in this console. */
export function useObjectPath(): (type: string, id: string | number) => string | undefined {
  const { routesByPath } = useRouter()
  return (type, id) => {
    const path = PATHS[type]
    return path !== undefined && routeOf(path) in routesByPath
      ? path.replace('$id', encodeURIComponent(String(id)))
      : undefined
  }
}
