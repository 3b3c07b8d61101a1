/* Two executors of two runs each, for one site. A run may crash anywhere, stand still for as long as it likes, and its
 * request may be delayed or lost on the way. A promise is made once for the site, durably, before the request; what else
 * a design has is chosen by definitions:
 *   LEASE     no promise, but a lock that another takes over when its time is up
 *   RETRY     send again where the site shows nothing
 *   OPERATOR  a person may have the request sent again where the site shows nothing:
 *   LIFETIME    only once the process that promised is dead
 *   DRAIN       only once nothing can be under way any more
 */
byte accepted = 0
byte inflight = 0
bool configured = false
bool intent = false
bool locked = false
byte generation = 0
/* How many processes have promised and not sent yet: dead ones do not count. */
byte pending = 0

#ifdef LIFETIME
#define NOBODY_WILL_SEND (pending == 0)
#else
#define NOBODY_WILL_SEND true
#endif
#ifdef DRAIN
#define NOTHING_UNDER_WAY (inflight == 0)
#else
#define NOTHING_UNDER_WAY true
#endif

proctype executor() {
  byte round = 0
  bool mine
  do
  :: round < 2 ->
    round++
    mine = false
#ifdef LEASE
    /* The time of a lock may be up while its holder still runs. */
    if
    :: atomic { !locked -> locked = true }
    :: atomic { locked -> skip }
    fi
    if
    :: configured -> goto ended
    :: !configured -> mine = true; pending++
    fi
#else
    atomic {
      if
      :: !intent -> intent = true; mine = true; pending++
      :: else -> skip
      fi
    }
#endif
    if
    :: mine ->
      if
      :: true -> pending--; goto ended /* it dies before it sends */
      :: true -> atomic { pending--; inflight++ }
      fi
    :: else ->
#ifdef RETRY
      atomic {
        if
        :: !configured -> inflight++
        :: else -> skip
        fi
      }
#endif
#ifdef OPERATOR
      atomic {
        if
        :: !configured && generation == 0 && NOBODY_WILL_SEND && NOTHING_UNDER_WAY ->
           generation = 1
           inflight++
        :: else -> skip
        fi
      }
#endif
      skip
    fi
ended:
    locked = false
  :: else -> break
  od
}

/* Takes what comes, late or never. */
active proctype service() {
end:
  do
  :: atomic {
       inflight > 0 ->
       inflight--
       accepted++
       assert(accepted <= 1)
       configured = true
     }
  :: atomic { inflight > 0 -> inflight-- }
  od
}

init {
  atomic { run executor(); run executor() }
}
