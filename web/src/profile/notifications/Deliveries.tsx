import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Destination, DestinationDelivery } from '@homeport/contract/destinations/schema';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { useSendTest } from '../../notifications/use-send-test.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './destinations.module.css';

export interface DeliveriesProps {
  destination: Destination;
  /** While it is removed there is nothing to read, and soon nothing to ask about. */
  isLeaving: boolean;
}

/** The newest messages to a destination, and the button that tries it. */
export function Deliveries({ destination, isLeaving }: DeliveriesProps) {
  const { id } = destination;
  const deliveries = useQuery({
    ...apiQuery('GET /api/destinations/:id/deliveries', { params: { id } }),
    enabled: !isLeaving,
  });
  const test = useSendTest(destination);
  return (
    <section aria-label="Deliveries" className={layout.stack}>
      <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
        <h3 className={typography.subheading}>Deliveries</h3>
        <Button size="sm" {...test}>
          Send a test
        </Button>
      </div>
      <NotLoaded query={deliveries} title="The deliveries could not be loaded" rows={2} />
      {deliveries.data?.length === 0 && (
        <p className={classNames(typography.small, typography.subtle)}>Nothing was sent there yet.</p>
      )}
      {deliveries.data && deliveries.data.length > 0 && (
        <ul className={styles.deliveries} aria-label={`The last ${destinationLimits.shown} messages`}>
          {deliveries.data.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} destination={destination} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface LineProps {
  delivery: DestinationDelivery;
  destination: Destination;
}

function DeliveryLine({ delivery, destination: { id, state } }: LineProps) {
  const again = useAct('POST /api/destinations/:id/send-again', {
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const { text, more, test } = delivery;
  const what = test ? 'Test' : (text ?? 'News that is no longer kept');
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>
          {what}
          {more > 0 && ` And ${more} more.`}
        </span>
        <small>
          <Outcome delivery={delivery} />
        </small>
      </span>
      {!test && text !== null && delivery.state !== 'waiting' && state === 'on' && (
        <Button
          size="sm"
          busy={again.isPending}
          busyLabel="Sending"
          onClick={() => again.mutate({ params: { id }, body: { deliveryId: delivery.id } })}
        >
          Send again<span className={layout.visuallyHidden}>: {what}</span>
        </Button>
      )}
    </li>
  );
}

function Outcome({
  delivery: { state, createdAt, endedAt, dueAt, attempts, answer },
}: {
  delivery: DestinationDelivery;
}) {
  const tries = attempts > 1 && ` after ${attempts} tries`;
  switch (state) {
    case 'waiting':
      return answer === null || dueAt === null ? (
        'On its way.'
      ) : (
        <>
          {answer} The next try is due <Time at={dueAt} as="datetime" />.
        </>
      );
    case 'sent':
      return (
        <>
          Sent <Time at={endedAt ?? createdAt} as="datetime" />
          {tries}. {answer}
        </>
      );
    case 'refused':
      return (
        <>
          Given up <Time at={endedAt ?? createdAt} as="datetime" />
          {tries}. {answer}
        </>
      );
    case 'unsent':
      return answer;
  }
}
