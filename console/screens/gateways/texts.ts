import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const gatewayTexts = catalogue(en, () => import('./fr.ts'))
