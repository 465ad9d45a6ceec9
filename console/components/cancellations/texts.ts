import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const cancellationTexts = catalogue(en, () => import('./fr.ts'))
