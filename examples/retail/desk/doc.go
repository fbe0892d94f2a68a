// Package desk is the order desk of Ember & Oak, an invented shop for
// household goods, as a workflow: customers are found by name, orders are
// looked at, cancelled, changed, returned and exchanged.
//
// It shows what an author declares and what fwgo then takes care of:
//
//   - look-ups in live data, on names and on ids (find_customer, get_order)
//   - which command supplies a value (available_from)
//   - a pattern, an enum, a list, a nested object, optional and positional
//     parameters
//   - a hook that normalizes (change_address), one that rejects across fields
//     (exchange_items) and one that needs something to have happened before
//     (my_orders)
package desk
